// The memory mountain: throughput over size and stride, as a map and as a surface. Both know the
// same place, and two slices through it show throughput by size and by stride.
import { h } from "./dom.js";
import { curve } from "./curve.js";
import { isKnown, quantity as written } from "./format.js";
import { game } from "./game.js";
import { colours, heat } from "./heat.js";
import { boundaries } from "./model.js";
import { surface } from "./surface.js";

function modelOf(series) {
    const sorted = (axis) =>
        [...new Set(series.points.map((point) => point.at[axis]))].sort((a, b) => a - b);
    const [columns, rows] = [sorted(0), sorted(1)];
    const column = new Map(columns.map((value, index) => [value, index]));
    const row = new Map(rows.map((value, index) => [value, index]));
    const points = rows.map(() => columns.map(() => null));
    for (const point of series.points) points[row.get(point.at[1])][column.get(point.at[0])] = point;
    const value = (r, c) => points[r][c]?.best ?? null;
    const all = rows.flatMap((_, r) => columns.map((_, c) => value(r, c)));
    return {
        across: series.axes[0], upward: series.axes[1], quantity: series.quantity,
        columns, rows, points, value, paint: colours(all),
    };
}

const pointAt = (x, point) => ({
    x, y: point?.best ?? null, q25: point?.q25, q75: point?.q75, low: point?.low, high: point?.high,
    cycles: null, n: point?.n, flags: point?.flags,
});

// Where a size lies between the columns of the map, in cells from its left edge.
export function columnOf(model, size) {
    const log = model.columns.map((value) => Math.log(value));
    const wanted = Math.log(size);
    let index = 0;
    while (index + 1 < log.length && log[index + 1] < wanted) index++;
    const step = (log[index + 1] ?? log[index] + 1) - log[index];
    return Math.max(0, Math.min(log.length, index + 0.5 + (wanted - log[index]) / (step || 1)));
}

export function mountain(passport, series, several) {
    const model = modelOf(series);
    const suffix = several ? `, ${passport.title}` : "";
    const stem = `mountain-${passport.letter}`;
    let chosen = [0, Math.floor(model.columns.length / 3)];
    let guesses = [];
    const parts = {};

    function choose(row, column) {
        if (row === chosen[0] && column === chosen[1]) return;
        chosen = [row, column];
        renew();
    }
    function renew() {
        for (const slice of [parts.bySize, parts.byStride]) slice.redraw();
        parts.map.mark();
        parts.surface.paint();
        entitle();
    }
    const heading = { size: h("h4"), stride: h("h4") };
    function entitle() {
        heading.size.textContent =
            `By ${model.across.name}, at ${model.upward.name} ` +
            written(model.rows[chosen[0]], model.upward.unit) + suffix;
        heading.stride.textContent =
            `By ${model.upward.name}, at ${model.across.name} ` +
            written(model.columns[chosen[1]], model.across.unit) + suffix;
    }

    parts.map = heat({
        title: `The mountain from above${suffix}`, name: `${stem}-map`, wide: true,
        note: "Each cell is one working set, walked at one stride. A cell chosen here moves both slices.",
        across: model.across, upward: model.upward, quantity: model.quantity, columns: model.columns,
        rows: model.rows, value: model.value, paint: model.paint,
        chosen: () => chosen, choose,
        lines: () => guesses.map((mark) => ({ kind: mark.kind, at: columnOf(model, mark.x) })),
    });
    const turn = h("input", {
        type: "range", min: -180, max: 180, step: 1, value: -37,
        oninput: (event) => parts.surface.turnTo((event.target.value * Math.PI) / 180),
    });
    parts.surface = surface({
        title: `The mountain as a surface${suffix}`, name: `${stem}-surface`, wide: true, model,
        chosen: () => chosen, choose,
        controls: h("label", { class: "turn" }, "Turn", turn),
        turned: (view) => {
            const degrees = ((((view.yaw * 180) / Math.PI + 180) % 360) + 360) % 360;
            turn.value = Math.round(degrees - 180);
        },
    });
    const slice = (kind, axis, along, at, pick) =>
        curve({
            title: `Slice of the mountain by ${axis.name}${suffix}`, name: `${stem}-by-${kind}`,
            heading: heading[kind], axis, quantity: model.quantity,
            rows: () => [
                { label: "", hue: 0, dash: 0, points: along.map((x, index) => pointAt(x, at(index))) },
            ],
            chosen: () => {
                const point = model.points[chosen[0]][chosen[1]];
                const x = kind === "size" ? model.columns[chosen[1]] : model.rows[chosen[0]];
                return { x, y: point?.best };
            },
            choose: pick,
            marks: kind === "size" ? () => guesses : undefined,
        });
    parts.bySize = slice("size", model.across, model.columns, (c) => model.points[chosen[0]][c],
        (point) => choose(chosen[0], model.columns.indexOf(point.x)));
    parts.byStride = slice("stride", model.upward, model.rows, (r) => model.points[r][chosen[1]],
        (point) => choose(model.rows.indexOf(point.x), chosen[1]));
    entitle();

    const play = game({
        model, boundaries: boundaries(passport), suffix, name: `${stem}-guess`,
        onchange(marks) {
            guesses = marks;
            parts.bySize.redraw();
            parts.map.redraw();
        },
    });
    return [
        h("div", { class: "figures" }, parts.map.node, parts.surface.node, parts.bySize.node, parts.byStride.node),
        play,
    ];
}

// Where the mountain itself falls steepest along the sizes: at its largest stride, a fall by more
// than a fifth between the plateaus on both sides, the steepest place of each run of falls.
export function cliffs(model) {
    const row = model.rows.length - 1;
    const steps = [];
    for (let column = 1; column < model.columns.length; column++) {
        const [before, after] = [model.value(row, column - 1), model.value(row, column)];
        steps.push(isKnown(before) && isKnown(after) && after > 0 ? Math.log(before / after) : 0);
    }
    const found = [];
    for (let index = 0; index < steps.length; index++) {
        if (steps[index] <= 0.05) continue;
        let [total, best, end] = [0, index, index];
        for (; end < steps.length && steps[end] > 0.05; end++) {
            total += steps[end];
            if (steps[end] > steps[best]) best = end;
        }
        if (total > 0.2)
            found.push(Math.sqrt(model.columns[best] * model.columns[best + 1]));
        index = end;
    }
    return found;
}
