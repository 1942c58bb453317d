// The passports as the page reads them: what each is called, its findings and levels, and which
// series belong into one figure. Everything is decided by the descriptors that a passport
// carries, so a new probe needs no code here.
import { isKnown } from "./format.js";

const block = (id) => JSON.parse(document.getElementById(id).textContent);

export function load() {
    const words = block("words");
    const data = block("passports");
    const rows = (Array.isArray(data) ? data : [data]).map((passport, index) => ({
        ...passport,
        index,
        letter: letter(index),
        words: words.passports[index] ?? { advice: [], findings: {} },
    }));
    for (const passport of rows) {
        passport.title = title(passport, rows);
        for (const result of Object.values(passport.probes ?? {})) learn(result);
    }
    return { passports: rows, probes: words.probes ?? {} };
}

function letter(index) {
    const low = String.fromCharCode(65 + (index % 26));
    return index < 26 ? low : letter(Math.floor(index / 26) - 1) + low;
}

function title(passport, all) {
    const name = passport.machine?.host || passport.words.source || "a machine";
    const kind = passport.words.vantage;
    const bare = kind ? `${name}, ${kind}` : name;
    return all.length > 1 ? `${passport.letter}: ${bare}` : bare;
}

// The surest finding of a name among all probes; one with a value comes first.
export function finding(passport, name) {
    let best = null;
    for (const [probe, result] of Object.entries(passport.probes)) {
        const row = result.findings?.[name];
        if (!row) continue;
        const words = passport.words.findings?.[probe]?.[name] ?? {};
        const rank = (row.value === null ? 0 : 1) + (row.confidence ?? 0) / 2;
        if (!best || rank > best.rank) best = { ...row, name, probe, words, rank };
    }
    return best;
}

export function declared(passport, name) {
    const rows = (passport.facts ?? []).filter(
        (fact) => fact.name === name && fact.status === "known",
    );
    return rows.length ? rows[0] : null;
}

export const measurable = (row) =>
    row && row.verdict !== "not_measurable" && row.verdict !== "not_seen";

const order = ["l1d", "l2", "l3", "l4", "llc", "memory"];
export const levelTitle = (level) =>
    level === "llc" ? "LLC" : level.replace(/^l(\d)/, "L$1");

export function levels(passport) {
    return order
        .map((name) => {
            const get = (part) => finding(passport, `${name}.${part}`);
            const size = get("size") ?? get("effective");
            // What the last level is called in facts depends on how many levels there are.
            const fact = (part) =>
                declared(passport, `${name}.${part}`) ??
                (name === "llc"
                    ? declared(passport, `l4.${part}`) ?? declared(passport, `l3.${part}`)
                    : null);
            const level = {
                name,
                title: levelTitle(name),
                size,
                ways: get("ways"),
                latency: get("latency"),
                cycles: get("latency_cycles"),
                declaredSize:
                    name === "memory" ? declared(passport, "memory.installed") : fact("size"),
                declaredWays: fact("ways"),
            };
            level.any = size || level.latency || level.cycles || level.ways;
            return level;
        })
        .filter((level) => level.any || (level.declaredSize && level.name !== "llc"))
        .filter((level, _, all) => {
            // A declared last level stands in the row of the measured one.
            const last = all.some((other) => other.name === "llc" && other.any);
            return level.any || !last || !["l3", "l4"].includes(level.name);
        });
}

// Where the levels end, to be drawn over any axis of sizes.
export function boundaries(passport) {
    const marks = [];
    for (const level of levels(passport)) {
        if (level.name === "memory") continue;
        const size = measurable(level.size) ? level.size : null;
        if (size && (isKnown(size.value) || isKnown(size.low)))
            marks.push({
                kind: "measured",
                level: level.title,
                x: isKnown(size.value) ? size.value : Math.sqrt(size.low * size.high),
                low: size.low,
                high: size.high,
                text: size.words.value,
            });
        const fact = isKnown(size?.declared) ? size.declared : level.declaredSize?.value;
        if (isKnown(fact)) marks.push({ kind: "declared", level: level.title, x: fact });
    }
    return marks;
}

// --- series ------------------------------------------------------------------------------------

const axisKey = (axis) => `${axis.name}|${axis.unit}|${axis.scale}`;
const quantityKey = (series) => `${series.quantity.name}|${series.quantity.unit}`;
const distinct = (points, axis) => [...new Set(points.map((point) => point.at[axis]))];

export const isMountain = (name, series) =>
    name === "mountain" && series.axes.length === 2 && series.axes[0].unit === "bytes";

// "curve", "bars", "matrix", "heat" or "none", and along which axis.
function shape(series) {
    const [first, second] = series.axes;
    const points = series.points;
    if (!first || !points.length) return { kind: "none" };
    if (series.axes.length > 2) return { kind: "bars" };
    const known = points.filter((point) => isKnown(point.best));
    const counts = [distinct(known, 0).length, distinct(known, 1).length];
    if (!second && (first.scale === "category" || counts[0] < 2)) return { kind: "bars" };
    if (!second) return { kind: "curve", along: 0 };
    const categories = series.axes.map((axis) => axis.scale === "category");
    if (categories[0] && categories[1]) return { kind: "bars" };
    if (categories[0] || categories[1]) {
        const along = categories[0] ? 1 : 0;
        return counts[along] >= 3 ? { kind: "curve", along } : { kind: "bars" };
    }
    if (/^cpu$/.test(first.name) || (!first.unit && !second.unit)) return { kind: "matrix" };
    if (Math.min(...counts) > 6) return { kind: "heat" };
    const along = counts[0] >= counts[1] ? 0 : 1;
    return Math.max(...counts) > 1 ? { kind: "curve", along } : { kind: "bars" };
}

// The figures of a probe: series whose axes and quantity are the same share one; passports lie
// over each other in curves and bars, and have a figure each in maps.
export function figures(passports, probe) {
    const groups = new Map();
    for (const passport of passports)
        for (const [name, series] of Object.entries(passport.probes[probe]?.series ?? {})) {
            if (isMountain(name, series)) continue;
            const { kind, along } = shape(series);
            const own = kind === "heat" || kind === "matrix" ? `|${name}|${passport.index}` : "";
            const twofold = series.axes.length > 1 ? `|${name}` : "";
            const axis = series.axes[along ?? 0];
            const key =
                `${kind}|${axis ? axisKey(axis) : ""}|${quantityKey(series)}` + twofold + own;
            if (!groups.has(key))
                groups.set(key, { kind, along, axis, quantity: series.quantity, members: [] });
            groups.get(key).members.push({ passport, name, series });
        }
    return [...groups.values()];
}

// --- categories --------------------------------------------------------------------------------

// The label of a point names its category. Which axis that is, the points tell: the one whose
// places and labels go together one by one; or all of them together ("branch, random").
function pairing(points, key) {
    const labels = new Map();
    const keys = new Map();
    for (const point of points) {
        const own = key(point);
        if (!point.label || (labels.get(own) ?? point.label) !== point.label) return null;
        if ((keys.get(point.label) ?? own) !== own) return null;
        labels.set(own, point.label);
        keys.set(point.label, own);
    }
    return labels;
}

const isCategory = (axis) => axis.scale === "category";
const known = new WeakMap();

function categories(series) {
    if (!known.has(series)) {
        const axes = series.axes.map((axis, index) =>
            isCategory(axis) ? pairing(series.points, (point) => point.at[index]) : null,
        );
        const all = pairing(series.points, (point) =>
            point.at.filter((_, index) => isCategory(series.axes[index])).join());
        known.set(series, { axes, all, learned: new Map() });
    }
    return known.get(series);
}

// What one series of a probe says of an axis holds for the axes of that name in its others.
function learn(result) {
    const learned = new Map();
    const all = Object.values(result.series ?? {});
    for (const series of all)
        categories(series).axes.forEach((labels, index) => {
            const { name } = series.axes[index];
            if (labels && labels.size > (learned.get(name)?.size ?? 1)) learned.set(name, labels);
        });
    for (const series of all) categories(series).learned = learned;
}

// Where a point lies, along all its axes; a label that names several categories stands for them,
// and one that names none is a remark of its own.
export function places(series, point, format) {
    const parts = series.axes.map((_, axis) => place(series, point, axis, format));
    if (point.label && series.axes.some(isCategory)) parts.push(point.label);
    return [...new Set(parts)].join(", ");
}

// A value of an axis in words.
export function place(series, point, axis, format) {
    const { name, unit, scale } = series.axes[axis];
    const value = point.at[axis];
    if (scale !== "category") return `${name.replace(/_/g, " ")} ${format(value, unit)}`;
    const own = series.axes[axis].names?.[value];
    if (own) return own;
    const { axes, all, learned } = categories(series);
    const label = axes[axis]?.get(value) ?? (axes.some(Boolean) ? null : all && point.label);
    return label ?? learned.get(name)?.get(value) ??
        `${name.replace(/_/g, " ")} ${unit ? format(value, unit) : value}`;
}
