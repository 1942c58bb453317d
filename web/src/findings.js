// Findings with interval, method and verdict; controls; and, with several passports, where their
// intervals lie apart.
import { h } from "./dom.js";
import { isKnown, number } from "./format.js";
import { finding, measurable } from "./model.js";
import { verdict } from "./machine.js";
import { table } from "./table.js";

const long = (text) => ({ text: text ?? "", class: "long" });

// A name may be parted at its dots.
const parted = (name) => name.split(/(?<=[._])/).flatMap((part, index) => (index ? [h("wbr"), part] : [part]));

function named(row, name) {
    return {
        text: name,
        node: h("span", { title: row.meaning ?? null }, row.title ?? name, " ", h("span", { class: "code" }, parted(name))),
    };
}

function findingRow(name, row, words) {
    return [
        named(words, name),
        { text: words.value ?? "", class: (words.value ?? "").length > 24 ? "wordy" : "" },
        words.interval ?? "",
        isKnown(row.confidence) ? `${Math.round(100 * row.confidence)} %` : "",
        words.declared ?? "",
        verdict(row.verdict),
        long(row.method),
        long(row.reason),
    ];
}

export function findings(passport, several) {
    const rows = Object.entries(passport.probes).flatMap(([probe, result]) =>
        Object.entries(result.findings ?? {}).map(([name, row]) =>
            findingRow(name, row, passport.words.findings?.[probe]?.[name] ?? {}),
        ),
    );
    if (!rows.length) return h("p", {}, `${several ? `${passport.title}: ` : ""}no findings.`);
    return table({
        caption: several ? `Findings, ${passport.title}` : "Findings",
        name: `findings-${passport.letter}`,
        columns: [
            { title: "finding" }, { title: "measured", number: true }, { title: "interval", number: true },
            { title: "confidence", number: true }, { title: "declared", number: true },
            { title: "verdict" }, { title: "method" }, { title: "reason" },
        ],
        rows,
    });
}

export function controls(passport, several) {
    const rows = Object.entries(passport.probes).flatMap(([probe, result]) =>
        (result.controls ?? []).map((control) => [
            { text: probe },
            {
                text: control.ok ? "held" : "did not hold",
                node: h("span", { class: `verdict ${control.ok ? "held" : "failed"}` }, control.ok ? "✓ held" : "✗ did not hold"),
            },
            long(control.what), long(control.expected), long(control.observed),
        ]),
    );
    if (!rows.length) return h("p", {}, `${several ? `${passport.title}: ` : ""}no controls.`);
    return table({
        caption: several ? `Controls, ${passport.title}` : "Controls: experiments that would expose an error",
        name: `controls-${passport.letter}`,
        columns: ["probe", "result", "experiment", "expected", "observed"].map((title) => ({ title })),
        rows,
    });
}

const against = (text) => ({ text, class: "against" });

// Against the first passport; a difference is real only where both intervals are known and do
// not touch.
function difference(first, other) {
    if (!measurable(first) || !measurable(other)) return against("not comparable");
    const intervals = [first.low, first.high, other.low, other.high];
    if (!intervals.every(isKnown)) {
        const same = first.words.value === other.words.value;
        return against(same ? "the same" : "no intervals to compare");
    }
    if (other.low <= first.high && first.low <= other.high) return against("intervals overlap");
    const ratio = other.value / first.value;
    const size = Number.isFinite(ratio) && ratio > 0
        ? ratio > 1 ? `${number(ratio)} times as much` : `${number(1 / ratio)} times less`
        : "";
    const text = `differs: ${size || "intervals lie apart"}`;
    return { ...against(text), differs: true, node: h("span", { class: "differs" }, `≠ ${text}`) };
}

export function comparison(passports) {
    const names = [...new Set(passports.flatMap((p) =>
        Object.values(p.probes).flatMap((result) => Object.keys(result.findings ?? {}))))];
    const rows = names.map((name) => {
        const found = passports.map((passport) => finding(passport, name));
        const differences = found.slice(1).map((other) => difference(found[0], other));
        const cells = found.map((row) => {
            const text = row
                ? `${row.words.value ?? ""}${row.words.interval ? ` (${row.words.interval})` : ""}`
                : "not measured";
            return { text, class: text.length > 24 ? "wordy" : "" };
        });
        return {
            differs: differences.some((entry) => entry.differs),
            cells: [
                named(found.find((row) => row)?.words ?? {}, name),
                cells[0],
                ...cells.slice(1).flatMap((cell, index) => [cell, differences[index]]),
            ],
        };
    });
    rows.sort((a, b) => Number(b.differs) - Number(a.differs));
    return [
        h(
            "p",
            {},
            `${rows.filter((row) => row.differs).length} of ${rows.length} findings differ from ${passports[0].title}: their intervals do not touch. That they touch does not prove them equal.`,
        ),
        table({
            caption: "Findings side by side, those that differ first", name: "comparison",
            columns: [
                { title: "finding" },
                { title: passports[0].title, number: true },
                ...passports.slice(1).flatMap((p) => [
                    { title: p.title, number: true },
                    { title: `${p.letter} against ${passports[0].letter}` },
                ]),
            ],
            rows: rows.map((row) => row.cells),
        }),
    ];
}
