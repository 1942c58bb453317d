// The figures of a probe, from the descriptors of its series alone.
import { h } from "./dom.js";
import { bars } from "./bars.js";
import { curve } from "./curve.js";
import { quantity as written } from "./format.js";
import { heat } from "./heat.js";
import { boundaries, figures as grouped, place, places } from "./model.js";

const plain = (text) => String(text).replace(/_/g, " ");

// "rate by size: read, write"; what would only say the same again is left out.
function titled(quantity, along, names) {
    const what = `${plain(quantity.name)}${along ? ` by ${along}` : ""}`;
    return names.length === 1 && ` ${what} `.includes(` ${names[0]} `) ? what : `${what}: ${names.join(", ")}`;
}

const pointOf = (point, x) => ({
    x, y: point.best, q25: point.q25, q75: point.q75, low: point.low, high: point.high,
    cycles: point.cycles, n: point.n, flags: point.flags,
});

// One line per series, or per value of the other axis of a series that has two.
function linesOf(group, several) {
    const names = [...new Set(group.members.map((member) => member.name))];
    const lines = [];
    for (const { passport, name, series } of group.members) {
        const along = group.along ?? 0;
        const other = series.axes.length > 1 ? 1 - along : -1;
        const parts = new Map();
        for (const point of series.points) {
            const key = other < 0 ? "" : point.at[other];
            if (!parts.has(key)) parts.set(key, []);
            parts.get(key).push(point);
        }
        let part = 0;
        for (const [key, points] of parts) {
            const what = other < 0 ? plain(name) : place(series, points[0], other, written);
            const hue = other < 0 ? names.indexOf(name) : part;
            part++;
            lines.push({
                label: several ? `${passport.letter} ${what}` : what,
                hue,
                dash: several ? passport.index : hue,
                key,
                points: points
                    .map((point) => pointOf(point, point.at[along]))
                    .sort((a, b) => a.x - b.x),
            });
        }
    }
    return lines;
}

function labelled(mark, passport, several) {
    const size = mark.text ?? written(mark.x, "bytes");
    const lead = several ? `${passport.letter} ` : "";
    return { ...mark, label: `${lead}${mark.level} ${mark.kind === "declared" ? "declared " : ""}${size}` };
}

// Where the measured and the declared boundary are the same, one line says both.
function marksOf(passports, axis) {
    if (axis.unit !== "bytes" || axis.name !== "size") return [];
    const several = passports.length > 1;
    return passports.flatMap((passport) => {
        const all = boundaries(passport);
        const near = (a, b) => Math.abs(Math.log(a.x / b.x)) < 0.03;
        return all
            .filter((mark) => !several || mark.kind === "measured")
            .filter(
                (mark) =>
                    mark.kind === "measured" ||
                    !all.some((other) => other.kind === "measured" && other.level === mark.level && near(other, mark)),
            )
            .map((mark) => {
                const row = labelled(mark, passport, several);
                const same = all.some((other) => other.kind === "declared" && other.level === mark.level && near(other, mark));
                return mark.kind === "measured" && same && !several
                    ? { ...row, label: `${row.label} = declared` }
                    : row;
            });
    });
}

function curveOf(probe, group, passports, several) {
    const rows = linesOf(group, several);
    const names = [...new Set(group.members.map((member) => plain(member.name)))];
    const axis = { ...group.axis, name: plain(group.axis.name) };
    const shown = [...new Set(group.members.map((member) => member.passport))];
    return curve({
        title: titled(group.quantity, axis.name, names),
        name: `${probe}-${names.join("-")}`,
        axis, quantity: { ...group.quantity, name: plain(group.quantity.name) },
        rows: () => rows,
        marks: () => marksOf(shown, axis),
        wide: rows.length > 2 || rows.some((row) => row.points.length > 60),
        note: bandNote(rows),
    });
}

const bandNote = (rows) =>
    rows.some((row) => row.points.some((point) => point.q25 !== null && point.q25 !== undefined))
        ? "The band spans the quartiles."
        : null;

function barsOf(probe, group, several) {
    const names = [...new Set(group.members.map((member) => member.name))];
    const rows = group.members.flatMap(({ passport, name, series }) =>
        series.points.map((point) => {
            const where = places(series, point, written);
            const parts = [several ? passport.letter : "", where, names.length > 1 ? plain(name) : ""];
            return {
                label: parts.filter(Boolean).join(" · "),
                order: where,
                value: point.best, low: point.low, high: point.high, cycles: point.cycles, n: point.n,
                flags: point.flags,
                hue: several ? passport.index : names.indexOf(name),
                dash: several ? passport.index : names.indexOf(name),
            };
        }),
    );
    const keys = several
        ? [...new Set(group.members.map((member) => member.passport))].map((passport) => ({
              label: passport.title, hue: passport.index, dash: passport.index,
          }))
        : names.map((name, index) => ({ label: plain(name), hue: index, dash: index }));
    const first = new Map();
    rows.forEach((row) => first.has(row.order) || first.set(row.order, first.size));
    rows.sort((a, b) => first.get(a.order) - first.get(b.order));
    return bars({
        title: titled(group.quantity, "", names.map(plain)),
        name: `${probe}-${names.join("-")}`,
        quantity: group.quantity,
        rows, keys,
        wide: rows.length > 24,
    });
}

function heatOf(probe, group, several) {
    const { passport, name, series } = group.members[0];
    const sorted = (axis) => [...new Set(series.points.map((point) => point.at[axis]))].sort((a, b) => a - b);
    const square = group.kind === "matrix";
    const both = square ? [...new Set([...sorted(0), ...sorted(1)])].sort((a, b) => a - b) : null;
    const columns = both ?? sorted(0);
    const rows = both ?? sorted(1);
    const places = new Map(series.points.map((point) => [`${point.at[1]}|${point.at[0]}`, point.best]));
    const axis = (index) => ({ ...series.axes[index], name: plain(series.axes[index].name) });
    return heat({
        title: `${plain(series.quantity.name)}: ${plain(name)}${several ? `, ${passport.title}` : ""}`,
        name: `${probe}-${name}-${passport.letter}`,
        across: axis(0), upward: axis(1), columns, rows, square,
        quantity: series.quantity,
        value: (row, column) => places.get(`${rows[row]}|${columns[column]}`) ?? null,
        wide: columns.length > 24,
    });
}

// What stands in place of a figure: series without a single value.
function empty(group) {
    const names = group.members.map((member) => plain(member.name)).join(", ");
    return h("p", { class: "note" }, `${names}: no point was measured.`);
}

const measured = (group) =>
    group.kind !== "none" &&
    group.members.some(({ series }) => series.points.some((point) => typeof point.best === "number"));

export function figuresOf(probe, passports) {
    const several = passports.length > 1;
    return grouped(passports, probe).map((group) => {
        if (!measured(group)) return empty(group);
        if (group.kind === "curve") return curveOf(probe, group, passports, several).node;
        if (group.kind === "bars") return barsOf(probe, group, several).node;
        return heatOf(probe, group, several).node;
    });
}
