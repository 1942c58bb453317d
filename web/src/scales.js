// Scales and axes. Sizes tick at powers of two, other logarithms at 1, 2 and 5; as many as fit.
import { scaleLinear, scaleLog } from "d3-scale";
import { svg } from "./dom.js";
import { named, tick } from "./format.js";

const extent = (values) => {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values)
        if (Number.isFinite(value)) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    return low <= high ? [low, high] : [0, 1];
};

// By the scale that the axis of a series names.
export function along(axis, values, range) {
    let [low, high] = extent(values);
    if (axis.scale === "log2" && low > 0) {
        if (low === high) [low, high] = [low / 2, high * 2];
        return Object.assign(scaleLog([low, high], range).base(2), { logarithmic: 2 });
    }
    const [least] = extent(values.filter((value) => value > 0));
    if (axis.scale === "log2" && low === 0 && high > least) return withZero(least, high, range);
    if (low === high) [low, high] = [low - 1, high + 1];
    return Object.assign(scaleLinear([low, high], range), { logarithmic: 0 });
}

// A logarithm has no zero: it stands as far left of the least as that of its double is right.
function withZero(least, high, range) {
    const scale = scaleLog([least / 2, high], range).base(2);
    const place = (value) => scale(Math.max(value, least / 2));
    return Object.assign(place, { domain: () => [0, high], least, logarithmic: 2 });
}

// Of a quantity: logarithmic where the values span more than a factor of 15, else from zero.
export function upright(values, range) {
    let [low, high] = extent(values);
    if (low > 0 && high / low > 15)
        return Object.assign(scaleLog([low / 1.15, high * 1.15], range), { logarithmic: 10 });
    if (low === high && low === 0) high = 1;
    return Object.assign(scaleLinear([Math.min(0, low), high * 1.06], range).nice(), {
        logarithmic: 0,
    });
}

function binaryTicks([low, high], most) {
    const first = Math.ceil(Math.log2(low) - 1e-9);
    const last = Math.floor(Math.log2(high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    const ticks = [];
    for (let power = first; power <= last; power += step) ticks.push(2 ** power);
    return ticks;
}

function decimalTicks([low, high], most) {
    for (const steps of [[1, 2, 5], [1, 3], [1]]) {
        const ticks = [];
        for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++)
            for (const step of steps) {
                const value = step * 10 ** power;
                if (value >= low && value <= high) ticks.push(Number(value.toPrecision(3)));
            }
        if (ticks.length <= most && ticks.length) return ticks;
    }
    const decades = Math.log10(high / low);
    const step = Math.max(1, Math.ceil(decades / most));
    const ticks = [];
    for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power += step)
        ticks.push(10 ** power);
    return ticks;
}

// Bytes side by side at equal distances: multiples of a power of two.
function byteTicks([low, high], most) {
    const step = 2 ** Math.max(0, Math.ceil(Math.log2((high - low) / most)));
    const ticks = [];
    for (let at = Math.ceil(low / step); at * step <= high; at++) ticks.push(at * step);
    return ticks;
}

// Counted things have no halves.
export function ticksOf(scale, most, unit) {
    const ticks = unit === "bytes" && !scale.logarithmic ? byteTicks(scale.domain(), most) : allTicks(scale, most);
    return unit === "count" ? ticks.filter(Number.isInteger) : ticks;
}

function allTicks(scale, most) {
    if (scale.least) return [0, ...binaryTicks([scale.least, scale.domain()[1]], most - 1)];
    if (scale.logarithmic === 2) return binaryTicks(scale.domain(), most);
    if (scale.logarithmic === 10) return decimalTicks(scale.domain(), most);
    const ticks = scale.ticks(most);
    return ticks.length > most * 1.6 ? ticks.filter((_, index) => index % 2 === 0) : ticks;
}

// How wide a text is in a drawing.
const pen = document.createElement("canvas").getContext("2d");
export function letters(text, em) {
    pen.font = `${em}px system-ui, sans-serif`;
    return pen.measureText(String(text)).width;
}

// Of ticks side by side as many as leave their labels room: every second, every third, ...
export function apart(ticks, scale, unit, em) {
    const width = (value) => letters(tick(value, unit), em);
    const clear = (few) =>
        few.every(
            (value, index) =>
                index === 0 ||
                Math.abs(scale(value) - scale(few[index - 1])) > (width(value) + width(few[index - 1])) / 2 + em * 0.6,
        );
    for (let step = 1; step < ticks.length; step++) {
        const few = ticks.filter((_, index) => index % step === 0);
        if (clear(few)) return few;
    }
    return ticks.slice(0, 1);
}

// A label under its tick, or ending at the edge where it would stick out.
export const within = (x, text, right, y, em) =>
    x + letters(text, em) / 2 > right + em * 1.2
        ? { x: right + em * 1.2, y, "text-anchor": "end" }
        : { x, y, "text-anchor": "middle" };

export function bottomAxis(scale, { name, unit, left, right, y, em, grid }) {
    const most = Math.max(2, Math.floor((right - left) / (em * 5.4)));
    const ticks = apart(ticksOf(scale, most, unit), scale, unit, em);
    return svg(
        "g",
        { class: "axis", "aria-hidden": "true" },
        ticks.map((value) => [
            svg("line", { class: "grid", x1: scale(value), x2: scale(value), y1: y - grid, y2: y }),
            svg("line", { class: "tick", x1: scale(value), x2: scale(value), y1: y, y2: y + 5 }),
            svg("text", within(scale(value), tick(value, unit), right, y + 6 + em, em), tick(value, unit)),
        ]),
        svg("line", { class: "rule", x1: left, x2: right, y1: y, y2: y }),
        svg(
            "text",
            { class: "name", x: (left + right) / 2, y: y + 8 + 2.3 * em, "text-anchor": "middle" },
            named(name.replace(/_/g, " "), unit),
        ),
    );
}

export function leftAxis(scale, { name, unit, top, bottom, x, em, grid }) {
    const most = Math.max(3, Math.floor((bottom - top) / (em * 3.4)));
    return svg(
        "g",
        { class: "axis", "aria-hidden": "true" },
        ticksOf(scale, most, unit).map((value) => [
            svg("line", { class: "grid", x1: x, x2: x + grid, y1: scale(value), y2: scale(value) }),
            svg(
                "text",
                { x: x - 6, y: scale(value) + em * 0.36, "text-anchor": "end" },
                tick(value, unit),
            ),
        ]),
        svg("line", { class: "rule", x1: x, x2: x, y1: top, y2: bottom }),
        svg("text", { class: "name", x: 2, y: top - em * 0.9 }, named(name.replace(/_/g, " "), unit)),
    );
}

// The room that the labels of a left axis take.
export const leftRoom = (scale, unit, em, height) =>
    10 +
    Math.max(
        ...ticksOf(scale, Math.max(3, Math.floor(height / (em * 3.4))), unit).map((value) =>
            letters(tick(value, unit), em),
        ),
        em * 2,
    );
