// Values by category: a bar each with its interval and its number, or a dot where the values
// span so much that they stand on a logarithmic scale, which has no zero to begin a bar at.
import { scaleLinear, scaleLog } from "d3-scale";
import { svg } from "./dom.js";
import { figure } from "./figure.js";
import { isKnown, quantity as written, tick } from "./format.js";
import { rove } from "./grid.js";
import { apart, letters, ticksOf } from "./scales.js";
import { legend } from "./curve.js";

function scaleOf(rows, range) {
    const values = rows.flatMap((row) => [row.value, row.high]).filter((v) => isKnown(v) && v > 0);
    const low = Math.min(...rows.map((row) => row.value).filter((v) => isKnown(v)));
    const high = Math.max(...values, 0) || 1;
    if (low > 0 && high / low > 50)
        return Object.assign(scaleLog([low / 1.5, high * 1.1], range), { logarithmic: 10 });
    return Object.assign(scaleLinear([Math.min(0, low), high * 1.04], range), { logarithmic: 0 });
}

function told(row, unit) {
    const parts = [written(row.value, unit)];
    if (isKnown(row.low) && isKnown(row.high))
        parts.push(`interval ${written(row.low, unit)} to ${written(row.high, unit)}`);
    if (isKnown(row.cycles)) parts.push(written(row.cycles, "cycles"));
    if (row.flags?.length) parts.push(row.flags.join(", "));
    return `${row.label}: ${parts.join("; ")}`;
}

const cut = (text, room, em) => {
    let most = text.length;
    if (letters(text, em) <= room) return text;
    while (most > 4 && letters(text.slice(0, most), em) > room - em) most--;
    return most < text.length ? `${text.slice(0, most)}…` : text;
};

function drawRow(row, index, { x, left, pitch, top, above, em, unit, width }) {
    const y = top + index * pitch + (above ? em * 1.35 : 0);
    const thick = em * 1.05;
    const start = x.logarithmic ? left : x(0);
    const end = isKnown(row.value) ? x(row.value) : left;
    const tip = Math.max(end, isKnown(row.high) ? x(Math.min(row.high, x.domain()[1])) : end);
    return svg(
        "g",
        { class: "item", role: "listitem", "aria-label": told(row, unit) },
        svg("rect", { class: "catch", x: 0, y: top + index * pitch, width, height: pitch }),
        svg(
            "text",
            above
                ? { x: left, y: y - em * 0.3 }
                : { x: left - 8, y: y + thick * 0.8, "text-anchor": "end" },
            cut(row.label, above ? width - left : left - 8, em),
        ),
        isKnown(row.value) &&
            !x.logarithmic &&
            svg("rect", {
                class: `bar f${row.hue % 8}`, x: Math.min(start, end), y,
                width: Math.max(1, Math.abs(end - start)), height: thick,
            }),
        isKnown(row.value) &&
            x.logarithmic &&
            [
                svg("line", { class: "grid", x1: left, x2: end, y1: y + thick / 2, y2: y + thick / 2 }),
                svg("circle", { class: `bar f${row.hue % 8}`, cx: end, cy: y + thick / 2, r: thick * 0.36 }),
            ],
        isKnown(row.low) &&
            isKnown(row.high) &&
            svg("path", {
                class: "whisker", fill: "none",
                d: `M${x(Math.max(row.low, x.domain()[0]))} ${y + thick / 2}H${tip}`,
            }),
        svg("text", { class: "value", x: tip + 7, y: y + thick * 0.8 }, written(row.value, unit)),
    );
}

// spec: { title, name, note, rows: [{label, value, low, high, hue, dash, group}], quantity, keys }
export function bars(spec) {
    const { rows, quantity } = spec;
    const made = figure({
        ...spec,
        hint: "Point at a row, or focus one and use the arrow keys.",
        numbers: () => ({
            columns: [
                { title: "what" },
                ...["value", "interval from", "to"].map((title) => ({
                    title: quantity.unit ? `${title} (${quantity.unit})` : title, number: true,
                })),
                { title: "cycles", number: true },
                { title: "samples", number: true },
                { title: "remarks" },
            ],
            rows: rows.map((row) => [
                row.label, row.value, row.low, row.high, row.cycles, row.n,
                (row.flags ?? []).join(" "),
            ]),
        }),
        draw({ width, em }) {
            const longest = Math.max(...rows.map((row) => letters(row.label, em))) + 14;
            const above = longest > width * 0.42;
            const left = above ? 4 : longest;
            const room = Math.max(
                ...rows.map((row) => letters(written(row.value, quantity.unit), em)),
            );
            const right = width - room - 16;
            const top = em * 2;
            const pitch = em * (above ? 2.9 : 1.6);
            const bottom = top + rows.length * pitch;
            const x = scaleOf(rows, [left, right]);
            const most = Math.max(2, Math.floor((right - left) / (em * 6)));
            const ticks = apart(ticksOf(x, most, quantity.unit), x, quantity.unit, em);
            const keys = legend(spec.keys ?? [], { left: em, right: width, y: bottom + em * 1.6, em });
            const whole = bottom + em * 2 + keys.height;
            const items = rows.map((row, index) =>
                drawRow(row, index, { x, left, pitch, top, above, em, unit: quantity.unit, width }),
            );
            rove(items.map((item) => [item]), [0, 0], (row) => made.say(told(rows[row], quantity.unit)));
            items.forEach((item, index) =>
                item.addEventListener("pointerenter", () => made.say(told(rows[index], quantity.unit))),
            );
            return svg(
                "svg",
                {
                    viewBox: `0 0 ${width} ${whole}`, width, height: whole,
                    role: "group", "aria-label": spec.title,
                },
                svg(
                    "g",
                    { class: "axis", "aria-hidden": "true" },
                    ticks.map((value) => [
                        svg("line", { class: "grid", x1: x(value), x2: x(value), y1: top - 4, y2: bottom }),
                        svg(
                            "text",
                            {
                                x: Math.max(x(value), letters(tick(value, quantity.unit), em) / 2),
                                y: bottom + em * 1.3, "text-anchor": "middle",
                            },
                            tick(value, quantity.unit),
                        ),
                    ]),
                    svg("text", { class: "name", x: 2, y: em }, quantity.name + (x.logarithmic ? " (log)" : "")),
                ),
                keys.node,
                svg("g", { role: "list", "aria-label": spec.title }, items),
            );
        },
    });
    return made;
}
