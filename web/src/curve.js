// Curves over one axis: lines with their quartiles as a band, boundaries of caches, and a cursor
// that the pointer and the keyboard move. Lines differ in colour, in dashes and in marks.
import {
    area, line, symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar,
    symbolTriangle,
} from "d3-shape";
import { fresh, svg } from "./dom.js";
import { figure } from "./figure.js";
import { isKnown, quantity as written } from "./format.js";
import { along, bottomAxis, leftAxis, leftRoom, letters, upright } from "./scales.js";

const dashes = [null, "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];
const shapes = [
    symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolStar,
];
const most = { dots: 140, bands: 8 };

const strokeOf = (row) => ({
    class: `curve s${row.hue % 8}`,
    "stroke-dasharray": dashes[row.dash % dashes.length],
});
const markOf = (row, size) => symbol(shapes[row.dash % shapes.length], size)();

// What each line is, below the drawing and in it, so that a saved figure says it too. Answers
// the element and how much room it takes.
export function legend(rows, { left, right, y, em }) {
    if (rows.length < 2) return { node: null, height: 0 };
    let x = left;
    let line = 0;
    const items = rows.map((row) => {
        const width = 40 + letters(row.label, em) + 2 * em;
        if (x > left && x + width > right) {
            x = left;
            line++;
        }
        const item = svg(
            "g",
            { transform: `translate(${x} ${y + (line + 0.6) * em * 1.5})` },
            svg("path", { ...strokeOf(row), d: "M0 0H34" }),
            svg("path", {
                class: `dot f${row.hue % 8}`,
                d: markOf(row, 46),
                transform: "translate(17 0)",
            }),
            svg("text", { x: 40, y: em * 0.36 }, row.label),
        );
        x += width;
        return item;
    });
    return { node: svg("g", {}, items), height: (line + 1) * em * 1.5 };
}

// Labels of boundaries over the plot, in as many rows as they need.
function rowsOfMarks(marks, x, { left, right, em }) {
    const ends = [];
    return marks
        .filter((mark) => mark.x >= x.domain()[0] && mark.x <= x.domain()[1])
        .sort((a, b) => a.x - b.x)
        .map((mark) => {
            const width = letters(mark.label, em * 0.94) + em;
            const start = Math.max(left, Math.min(right - width, x(mark.x) - width / 2));
            let row = ends.findIndex((end) => end <= start);
            if (row < 0) row = ends.push(0) - 1;
            ends[row] = start + width;
            return { mark, row, middle: start + width / 2, rows: ends };
        });
}

// Labels come after all lines, which so break behind them.
function drawMarks(placed, x, { top, bottom, em }) {
    const height = (row) => top - 0.5 * em - row * em * 1.25;
    const lines = placed.map(({ mark, row, middle }) =>
        svg(
            "g",
            { "aria-hidden": "true" },
            isKnown(mark.low) &&
                isKnown(mark.high) &&
                mark.kind === "measured" &&
                svg("rect", {
                    class: "interval",
                    x: x(Math.max(mark.low, x.domain()[0])),
                    width: Math.max(
                        0,
                        x(Math.min(mark.high, x.domain()[1])) - x(Math.max(mark.low, x.domain()[0])),
                    ),
                    y: top,
                    height: bottom - top,
                }),
            svg("path", {
                class: `mark ${mark.kind}`,
                fill: "none",
                d: `M${x(mark.x)} ${bottom}V${top}L${middle} ${height(row) + 2}`,
            }),
        ),
    );
    const labels = placed.map(({ mark, row, middle }) =>
        svg(
            "text",
            { class: `marklabel ${mark.kind}`, x: middle, y: height(row), "text-anchor": "middle", "aria-hidden": "true" },
            mark.label,
        ),
    );
    return [...lines, ...labels];
}

function drawLine(row, x, y, clip) {
    const fine = (point) => isKnown(point.y) && (!y.logarithmic || point.y > 0);
    const points = row.points.filter(fine);
    const banded = points.filter((point) => isKnown(point.q25) && isKnown(point.q75));
    const low = y.domain()[0];
    return svg(
        "g",
        { "clip-path": `url(#${clip})`, "aria-hidden": "true" },
        row.band !== false &&
            banded.length > 1 &&
            svg("path", {
                class: `spread f${row.hue % 8}`,
                d: area()
                    .x((point) => x(point.x))
                    .y0((point) => y(Math.max(point.q25, low)))
                    .y1((point) => y(Math.max(point.q75, low)))(banded),
            }),
        svg("path", {
            ...strokeOf(row),
            d: line()
                .x((point) => x(point.x))
                .y((point) => y(point.y))(points),
        }),
        points.length <= most.dots &&
            points.map((point) =>
                svg("path", {
                    class: `dot f${row.hue % 8}`,
                    d: markOf(row, points.length > 60 ? 9 : 26),
                    transform: `translate(${x(point.x)} ${y(point.y)})`,
                }),
            ),
    );
}

const values = (rows) =>
    rows.flatMap((row) =>
        row.points.flatMap((point) =>
            isKnown(point.y) ? [point.y, Math.min(point.q75 ?? point.y, point.y * 1.5)] : [],
        ),
    );

function told(row, point, axis, quantity) {
    const parts = [`${written(point.y, quantity.unit)}`];
    if (isKnown(point.q25) && isKnown(point.q75))
        parts.push(
            `quartiles ${written(point.q25, quantity.unit)} to ${written(point.q75, quantity.unit)}`,
        );
    if (isKnown(point.cycles)) parts.push(written(point.cycles, "cycles"));
    if (point.n) parts.push(`${point.n} samples`);
    if (point.flags?.length) parts.push(point.flags.join(", "));
    const lead = row.label ? `${row.label}, ` : "";
    return `${lead}${axis.name} ${written(point.x, axis.unit)}: ${parts.join("; ")}`;
}

// The cursor: which point of which line it is on, drawn and read out.
function cursor(rows, { x, y, axis, quantity, top, bottom, left, right, say, choose, title }) {
    const walks = rows
        .map((row) => ({ row, points: row.points.filter((point) => isKnown(point.y)) }))
        .filter((walk) => walk.points.length);
    const rule = svg("line", { class: "cursor", y1: top, y2: bottom, visibility: "hidden" });
    const dot = svg("circle", { class: "cursordot", r: 5, visibility: "hidden" });
    const surface = svg("rect", {
        class: "catch", x: left, y: top, width: right - left, height: bottom - top, tabindex: "0",
        role: "application", "aria-roledescription": "curves",
        "aria-label": `${title}. Left and right walk along a curve, up and down change it.`,
    });
    let at = { walk: 0, index: -1 };

    function show(walk, index) {
        at = { walk, index };
        const point = walks[walk].points[index];
        for (const [name, value] of [["x1", x(point.x)], ["x2", x(point.x)]])
            rule.setAttribute(name, value);
        dot.setAttribute("cx", x(point.x));
        dot.setAttribute("cy", y(point.y));
        for (const node of [rule, dot]) node.removeAttribute("visibility");
        say(told(walks[walk].row, point, axis, quantity));
    }
    const nearest = (points, px) => {
        let best = 0;
        points.forEach((point, index) => {
            if (Math.abs(x(point.x) - px) < Math.abs(x(points[best].x) - px)) best = index;
        });
        return best;
    };
    function pointed(event) {
        const box = surface.getBoundingClientRect();
        const scale = (right - left) / box.width;
        const px = left + (event.clientX - box.left) * scale;
        const py = top + (event.clientY - box.top) * scale;
        let best = null;
        walks.forEach((walk, number) => {
            const index = nearest(walk.points, px);
            const point = walk.points[index];
            const far = Math.hypot((x(point.x) - px) * 3, y(point.y) - py);
            if (!best || far < best.far) best = { number, index, far };
        });
        return best;
    }
    if (!walks.length) return [];
    surface.addEventListener("pointermove", (event) => {
        const best = pointed(event);
        show(best.number, best.index);
    });
    surface.addEventListener("click", (event) => {
        const best = pointed(event);
        show(best.number, best.index);
        choose?.(walks[best.number].points[best.index]);
    });
    surface.addEventListener("focus", () => at.index < 0 && show(0, 0));
    surface.addEventListener("keydown", (event) => {
        const walk = walks[at.walk];
        const count = walk.points.length;
        const px = x(walk.points[Math.max(0, at.index)].x);
        const other = (step) => {
            const next = (at.walk + step + walks.length) % walks.length;
            return [next, nearest(walks[next].points, px)];
        };
        const next = {
            ArrowLeft: () => [at.walk, Math.max(0, at.index - 1)],
            ArrowRight: () => [at.walk, Math.min(count - 1, at.index + 1)],
            Home: () => [at.walk, 0],
            End: () => [at.walk, count - 1],
            ArrowUp: () => other(-1),
            ArrowDown: () => other(1),
        }[event.key]?.();
        if (!next) return;
        event.preventDefault();
        show(...next);
        choose?.(walks[next[0]].points[next[1]]);
    });
    return [rule, dot, surface];
}

// The numbers behind the lines, for the table and the CSV.
export function numbers(rows, axis, quantity) {
    const unit = quantity.unit ? ` (${quantity.unit})` : "";
    return {
        columns: [
            { title: "curve" },
            { title: axis.unit ? `${axis.name} (${axis.unit})` : axis.name, number: true },
            ...["value", "lower quartile", "upper quartile", "interval from", "to"].map((title) => ({
                title: title + unit, number: true,
            })),
            { title: "cycles", number: true },
            { title: "samples", number: true },
            { title: "remarks" },
        ],
        rows: rows.flatMap((row) =>
            row.points.map((point) => [
                row.label, point.x, point.y, point.q25, point.q75, point.low, point.high,
                point.cycles, point.n, (point.flags ?? []).join(" "),
            ]),
        ),
    };
}

// spec: { title, name, note, axis, quantity, rows() , marks(), chosen(), choose(point), wide,
//         heading, controls }
export function curve(spec) {
    const clip = fresh("clip");
    const { axis, quantity } = spec;
    const made = figure({
        ...spec,
        numbers: () => numbers(spec.rows(), axis, quantity),
        hint: "Point at a curve, or focus it and use the arrow keys.",
        draw({ width, em }) {
            const rows = spec.rows();
            if (rows.length > most.bands) for (const row of rows) row.band = false;
            const height = Math.max(250, Math.min(em * 38, width * 0.5));
            const right = width - em * 1.4;
            const y = upright(values(rows), [0, 1]);
            const left = leftRoom(y, quantity.unit, em, height);
            const x = along(axis, rows.flatMap((row) => row.points.map((point) => point.x)), [left, right]);
            const placed = rowsOfMarks(spec.marks?.() ?? [], x, { left, right, em });
            const top = em * 2.6 + (placed.length ? placed[0].rows.length * em * 1.25 + 4 : 0);
            const bottom = height + top - em * 4.2;
            y.range([bottom, top]);
            const chosen = spec.chosen?.();
            const keys = legend(rows, { left: em, right: width, y: bottom + em * 3.2, em });
            const whole = bottom + em * 3.4 + keys.height;
            return svg(
                "svg",
                {
                    viewBox: `0 0 ${width} ${whole}`, width, height: whole,
                    role: "group", "aria-label": spec.title,
                },
                svg(
                    "clipPath",
                    { id: clip },
                    svg("rect", { x: left - 4, y: top - 4, width: right - left + 8, height: bottom - top + 8 }),
                ),
                bottomAxis(x, { ...axis, left, right, y: bottom, em, grid: bottom - top }),
                moved(leftAxis(y, { ...quantity, top, bottom, x: left, em, grid: right - left }), em, top),
                keys.node,
                drawMarks(placed, x, { top, bottom, em }),
                rows.map((row) => drawLine(row, x, y, clip)),
                chosen &&
                    svg("line", { class: "guide", x1: x(chosen.x), x2: x(chosen.x), y1: top, y2: bottom }),
                chosen &&
                    isKnown(chosen.y) &&
                    svg("circle", { class: "peak", cx: x(chosen.x), cy: y(chosen.y), r: 5 }),
                cursor(rows, {
                    x, y, axis, quantity, top, bottom, left, right, title: spec.title,
                    say: (text) => made.say(text), choose: spec.choose,
                }),
            );
        },
    });
    return made;
}

// The name of the left axis stands above the labels of the boundaries.
function moved(axis, em, top) {
    const name = axis.querySelector(".name");
    name.setAttribute("y", Math.min(em * 1.1, top));
    return axis;
}
