// Values over two axes as cells. Each cell is an element that can be focused and says its place
// and value; where there are too many for that, they are one picture and a frame walks over it.
// Light is much, dark is little, in both schemes; where there is room the number stands within.
import { scaleSequential, scaleSequentialLog } from "d3-scale";
import { interpolateViridis } from "d3-scale-chromatic";
import { fresh, svg } from "./dom.js";
import { figure } from "./figure.js";
import { isKnown, quantity as written, tick } from "./format.js";
import { rove, stepped } from "./grid.js";
import { letters, within } from "./scales.js";

const mostElements = 4096;

export function colours(values) {
    const known = values.filter((value) => isKnown(value));
    const low = known.reduce((a, b) => Math.min(a, b), known[0] ?? 0);
    const high = known.reduce((a, b) => Math.max(a, b), known[0] ?? 1);
    const logarithmic = low > 0 && high / low > 8;
    const domain = low === high ? [low * 0.9 - 1e-9, high * 1.1 + 1e-9] : [low, high];
    const paint = (logarithmic ? scaleSequentialLog : scaleSequential)(domain, interpolateViridis);
    // How far up the scale a value is, 0 to 1.
    function share(value) {
        const part = logarithmic
            ? Math.log(value / low) / Math.log(high / low)
            : (value - low) / (high - low);
        return Number.isFinite(part) ? part : 0.5;
    }
    return Object.assign((value) => paint(value), { low, high, share });
}

// A bar of all colours with what its ends mean.
export function scaleBar(paint, unit, { x, y, width, em }) {
    const count = 32;
    const step = width / count;
    return svg(
        "g",
        { class: "axis", "aria-hidden": "true" },
        Array.from({ length: count }, (_, index) =>
            svg("rect", {
                x: x + index * step, y, width: step + 0.5, height: em * 0.8,
                fill: interpolateViridis(index / (count - 1)),
            }),
        ),
        svg("text", { x: x - 5, y: y + em * 0.75, "text-anchor": "end" }, written(paint.low, unit)),
        svg("text", { x: x + width + 5, y: y + em * 0.75 }, written(paint.high, unit)),
    );
}

function hatch(id) {
    return svg(
        "pattern",
        { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        svg("path", { class: "hatch", d: "M0 6L6 0" }),
    );
}

function axes(spec, { left, top, cell, em, right, bottom }) {
    const { columns, rows } = spec;
    const label = (axis, value) => tick(value, axis.unit);
    const widest = Math.max(...columns.map((value) => letters(label(spec.across, value), em))) + em;
    const every = Math.max(1, Math.ceil(widest / cell.width));
    const down = Math.max(1, Math.ceil((em * 1.25) / cell.height));
    return svg(
        "g",
        { class: "axis", "aria-hidden": "true" },
        columns.map((value, index) =>
            index % every === 0 &&
            svg(
                "text",
                within(
                    left + (index + 0.5) * cell.width, label(spec.across, value), right - em * 0.4,
                    bottom + em * 1.3, em,
                ),
                label(spec.across, value),
            ),
        ),
        rows.map((value, index) =>
            index % down === 0 &&
            svg(
                "text",
                { x: left - 6, y: top + (index + 0.5) * cell.height + em * 0.35, "text-anchor": "end" },
                label(spec.upward, value),
            ),
        ),
        svg(
            "text",
            { class: "name", x: (left + right) / 2, y: bottom + em * 2.8, "text-anchor": "middle" },
            spec.across.name,
        ),
        svg("text", { class: "name", x: 2, y: top - em * 0.6 }, spec.upward.name),
    );
}

function told(spec, row, column) {
    const { across, upward, rows, columns, quantity } = spec;
    const value = spec.value(row, column);
    return (
        `${across.name} ${written(columns[column], across.unit)}, ` +
        `${upward.name} ${written(rows[row], upward.unit)}: ` +
        (isKnown(value) ? written(value, quantity.unit) : "not measured")
    );
}

function drawCells(spec, paint, { left, top, cell, em, hatched, say }) {
    const elements = spec.rows.map((_, row) =>
        spec.columns.map((_, column) => {
            const value = spec.value(row, column);
            const text = isKnown(value) ? tick(value, spec.quantity.unit) : "–";
            // Not where boundaries are drawn across: they would strike the numbers through.
            const fits = !spec.lines && letters(text, em) + 6 < cell.width && cell.height > em * 1.2;
            const x = left + column * cell.width;
            const y = top + row * cell.height;
            const element = svg(
                "g",
                {
                    class: "cell", role: "gridcell", "aria-colindex": column + 1,
                    "aria-label": told(spec, row, column),
                },
                svg("rect", {
                    x, y, width: cell.width, height: cell.height,
                    fill: isKnown(value) ? paint(value) : `url(#${hatched})`,
                }),
                fits &&
                    svg(
                        "text",
                        {
                            class: !isKnown(value) ? null : paint.share(value) > 0.55 ? "onlight" : "ondark",
                            x: x + cell.width / 2, y: y + cell.height / 2 + em * 0.36,
                            "text-anchor": "middle",
                        },
                        text,
                    ),
            );
            element.addEventListener("pointerenter", () => say(told(spec, row, column)));
            return element;
        }),
    );
    const go = rove(elements, spec.chosen?.() ?? [0, 0], (row, column) => {
        say(told(spec, row, column));
        spec.choose?.(row, column);
    });
    return {
        go,
        elements,
        nodes: elements.map((line, row) =>
            svg("g", { role: "row", "aria-rowindex": row + 1 }, line),
        ),
    };
}

// Too many cells for elements: a picture, and one cell that moves over it.
function drawPicture(spec, paint, { left, top, cell, hatched, say }) {
    const canvas = document.createElement("canvas");
    canvas.width = spec.columns.length;
    canvas.height = spec.rows.length;
    const context = canvas.getContext("2d");
    spec.rows.forEach((_, row) =>
        spec.columns.forEach((_, column) => {
            const value = spec.value(row, column);
            if (!isKnown(value)) return;
            context.fillStyle = paint(value);
            context.fillRect(column, row, 1, 1);
        }),
    );
    const width = cell.width * canvas.width;
    const height = cell.height * canvas.height;
    let at = [0, 0];
    const frame = svg("rect", {
        class: "frame", role: "gridcell", tabindex: "0", width: Math.max(6, cell.width),
        height: Math.max(6, cell.height),
    });
    const line = svg("g", { role: "row" }, frame);
    function go(row, column) {
        at = [row, column];
        frame.setAttribute("x", left + column * cell.width);
        frame.setAttribute("y", top + row * cell.height);
        frame.setAttribute("aria-label", told(spec, row, column));
        frame.setAttribute("aria-colindex", column + 1);
        line.setAttribute("aria-rowindex", row + 1);
    }
    const tell = () => {
        say(told(spec, ...at));
        spec.choose?.(...at);
    };
    go(0, 0);
    frame.addEventListener("focus", tell);
    frame.addEventListener("keydown", (event) => {
        const next = stepped(event, ...at, spec.rows.length, spec.columns.length);
        if (next) {
            go(...next);
            tell();
        }
    });
    const image = svg("image", {
        x: left, y: top, width, height, href: canvas.toDataURL(), preserveAspectRatio: "none",
        "image-rendering": "pixelated",
    });
    image.addEventListener("click", (event) => {
        const box = image.getBoundingClientRect();
        const part = (value, size, count) => Math.min(count - 1, Math.floor((value / size) * count));
        go(
            part(event.clientY - box.top, box.height, spec.rows.length),
            part(event.clientX - box.left, box.width, spec.columns.length),
        );
        frame.focus({ preventScroll: true });
        tell();
    });
    const unknown = svg("rect", { x: left, y: top, width, height, fill: `url(#${hatched})` });
    return { go, nodes: [unknown, image, line] };
}

function numbers(spec) {
    const name = (axis) => (axis.unit ? `${axis.name} (${axis.unit})` : axis.name);
    return {
        columns: [
            { title: `${name(spec.upward)} \\ ${name(spec.across)}`, number: true },
            ...spec.columns.map((value) => ({ title: tick(value, spec.across.unit), number: true })),
        ],
        rows: spec.rows.map((value, row) => [
            tick(value, spec.upward.unit),
            ...spec.columns.map((_, column) => {
                const cell = spec.value(row, column);
                return { text: isKnown(cell) ? cell : "", node: isKnown(cell) ? tick(cell, spec.quantity.unit) : "–" };
            }),
        ]),
    };
}

// spec: { title, name, note, across, upward (axes), columns, rows (values), value(row, column),
//         quantity, chosen(), choose(row, column), lines(): [{x, kind}], wide, square }
export function heat(spec) {
    const hatched = fresh("hatch");
    const values = spec.rows.flatMap((_, row) => spec.columns.map((_, column) => spec.value(row, column)));
    const paint = spec.paint ?? colours(values);
    const frame = svg("rect", { class: "frame", "aria-hidden": "true" });
    let cells = null;
    const made = figure({
        ...spec,
        numbers: () => numbers(spec),
        hint: "Click a cell, or focus one and use the arrow keys.",
        draw({ width, em }) {
            const left =
                12 + Math.max(...spec.rows.map((value) => letters(tick(value, spec.upward.unit), em)));
            const count = spec.columns.length;
            const room = width - left - em;
            const cell = { width: spec.square ? Math.min(room / count, em * 7) : room / count };
            const tall = Math.min(Math.max(cell.width, em * 1.15), em * 2.6);
            cell.height = Math.min(tall, (em * 44) / spec.rows.length);
            const right = left + cell.width * count;
            const top = em * 4.2;
            const bottom = top + cell.height * spec.rows.length;
            const bar = Math.min(em * 14, width * 0.36);
            const drawn = (count * spec.rows.length > mostElements ? drawPicture : drawCells)(
                spec, paint, { left, top, cell, em, hatched, say: (text) => made.say(text) },
            );
            cells = { ...drawn, left, top, cell };
            mark();
            return svg(
                "svg",
                {
                    viewBox: `0 0 ${width} ${bottom + em * 3.4}`, width, height: bottom + em * 3.4,
                    role: "group", "aria-label": spec.title,
                },
                svg("defs", {}, hatch(hatched)),
                scaleBar(paint, spec.quantity.unit, { x: (width - bar) / 2, y: em * 0.6, width: bar, em }),
                axes(spec, { left, top, cell, em, right, bottom }),
                svg(
                    "g",
                    {
                        role: "grid", "aria-label": spec.title, "aria-rowcount": spec.rows.length,
                        "aria-colcount": count,
                    },
                    drawn.nodes,
                ),
                spec.chosen && frame,
                (spec.lines?.() ?? []).map((entry) =>
                    ["halo", `mark ${entry.kind}`].map((kind) =>
                        svg("line", {
                            class: kind, "aria-hidden": "true",
                            x1: left + entry.at * cell.width, x2: left + entry.at * cell.width,
                            y1: top - em * 0.3, y2: bottom,
                        }),
                    ),
                ),
            );
        },
    });
    function mark() {
        if (!spec.chosen || !cells) return;
        const [row, column] = spec.chosen();
        cells.go(row, column, false);
        frame.setAttribute("x", cells.left + column * cells.cell.width);
        frame.setAttribute("y", cells.top + row * cells.cell.height);
        frame.setAttribute("width", cells.cell.width);
        frame.setAttribute("height", cells.cell.height);
    }
    return { ...made, mark };
}
