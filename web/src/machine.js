// The machine, the conditions of the measurement, what to be wary of, and the levels.
import { h } from "./dom.js";
import { isKnown, quantity as written } from "./format.js";
import { levels, measurable } from "./model.js";
import { table } from "./table.js";

const size = (value) => written(value, "bytes");
const list = (value, count) => (value ? `${value}${isKnown(count) ? ` (${count})` : ""}` : null);

const rows = [
    ["processor", (p) => p.machine.model],
    ["host", (p) => p.machine.host],
    ["date", (p) => p.machine.date],
    ["kernel", (p) => p.machine.kernel],
    ["measured on CPU", (p) => p.vantage.cpu],
    ["kind of core", (p) => p.vantage.kind],
    ["CPUs of that kind", (p) => p.vantage.cpus],
    ["CPUs allowed", (p) => list(p.machine.allowed, p.machine.cpus_allowed)],
    ["CPUs online", (p) => list(p.machine.online, p.machine.cpus_online)],
    ["memory granted", (p) =>
        isKnown(p.machine.memory_granted)
            ? size(p.machine.memory_granted) +
              (p.machine.memory_granted_by ? `, by ${p.machine.memory_granted_by}` : "")
            : null],
    ["memory installed", (p) => isKnown(p.machine.memory_installed) && size(p.machine.memory_installed)],
    ["base page", (p) => isKnown(p.machine.page_bytes) && size(p.machine.page_bytes)],
    ["measured memory", (p) => p.environment.pages],
    ["huge pages", (p) => p.environment.thp],
    ["virtualization", (p) => p.environment.virtualization],
    ["emulation", (p) => p.environment.emulation],
    ["core clock", (p) =>
        isKnown(p.environment.core_hz)
            ? `${written(p.environment.core_hz, "hz")}, ${written(p.environment.core_hz_low, "hz")} to ` +
              written(p.environment.core_hz_high, "hz")
            : null],
    ["time lost to others", (p) =>
        isKnown(p.environment.lost_share) ? written(p.environment.lost_share, "share") : null],
    ["load before", (p) => isKnown(p.environment.load1) && written(p.environment.load1, "")],
    ["timed by", (p) =>
        p.environment.timer &&
        `${p.environment.timer}, step ${written(p.environment.timer_step_ns, "ns")}, a read costs ` +
            written(p.environment.timer_cost_ns, "ns")],
    ["kernel's clock source", (p) => p.environment.clock_source],
    ["frequency governor", (p) => p.environment.governor],
    ["simultaneous threads", (p) => p.environment.smt],
    ["hardware counters", (p) => p.environment.counters],
    ["sonde", (p) => p.tool.version && [p.tool.version, p.tool.compiler ?? "compiler unknown", p.tool.isa].filter(Boolean).join(", ")],
    ["kernels", (p) => p.tool.features],
    ["file", (p) => p.words.source],
];

export function machine(passports) {
    const shown = (value) =>
        value === null || value === undefined || value === false || value === "" ? "unknown" : String(value);
    const safe = passports.map((p) => ({
        ...p, machine: p.machine ?? {}, vantage: p.vantage ?? {}, environment: p.environment ?? {},
        tool: p.tool ?? {},
    }));
    return table({
        caption: "What was measured, and how it was then", name: "machine",
        columns: [{ title: "what" }, ...passports.map((p) => ({ title: p.title }))],
        rows: rows
            .map(([name, read]) => [name, ...safe.map((p) => shown(read(p)))])
            .filter((row) => row.slice(1).some((cell) => cell !== "unknown") || row[0] === "processor"),
    });
}

export function warnings(passports) {
    const items = passports.flatMap((passport) =>
        (passport.warnings ?? []).map((warning) =>
            h(
                "li",
                {},
                h("b", {}, warning.message ?? warning.code),
                passports.length > 1 && ` (${passport.title})`,
                warning.hint && h("span", { class: "remedy" }, `→ ${warning.hint}`),
            ),
        ),
    );
    return items.length
        ? h("ul", { class: "warnings" }, items)
        : h("p", {}, "None: nothing was seen that would make the figures doubtful.");
}

const symbols = { agrees: "✓", contradicts: "✗", undeclared: "·", not_seen: "∅", not_measurable: "?" };

export function verdict(name) {
    const text = `${symbols[name] ?? "?"} ${String(name).replace(/_/g, " ")}`;
    return { text: String(name).replace(/_/g, " "), node: h("span", { class: `verdict ${name}` }, text) };
}

const valueOf = (row) => (measurable(row) ? row.words.value : row ? row.words.value : "–");

function levelRow(level, first) {
    const declaredSize = isKnown(level.size?.declared)
        ? size(level.size.declared)
        : level.declaredSize
          ? size(level.declaredSize.value)
          : "–";
    const ways = isKnown(level.ways?.declared) ? level.ways.declared : level.declaredWays?.value;
    const times = isKnown(level.latency?.value) ? level.latency.value / first : NaN;
    return [
        level.title,
        level.size ? valueOf(level.size) : "–",
        level.ways ? valueOf(level.ways) : "–",
        declaredSize,
        isKnown(ways) ? String(ways) : "–",
        level.size ? verdict(level.size.verdict) : "–",
        level.latency ? valueOf(level.latency) : "–",
        level.cycles ? valueOf(level.cycles) : "–",
        Number.isFinite(times) ? `${times.toFixed(1)}×` : "–",
    ];
}

export function levelTables(passports) {
    return passports.map((passport) => {
        const all = levels(passport);
        const first = all.find((level) => isKnown(level.latency?.value))?.latency.value;
        const numeric = (title) => ({ title, number: true });
        return all.length
            ? table({
                  caption: passports.length > 1 ? passport.title : "Levels, measured beside declared",
                  name: `levels-${passport.letter}`,
                  columns: [
                      { title: "level" }, numeric("measured"), numeric("ways"), numeric("declared"),
                      numeric("ways declared"), { title: "verdict" }, numeric("latency"),
                      numeric("in cycles"), numeric("× first"),
                  ],
                  rows: all.map((level) => levelRow(level, first)),
              })
            : h("p", {}, `${passports.length > 1 ? `${passport.title}: ` : ""}no level was measured, and none is declared.`);
    });
}

export function facts(passport, several) {
    const all = passport.facts ?? [];
    const details = h(
        "details",
        {},
        h("summary", {}, `What ${several ? passport.title : "the machine"} declares, by source (${all.length})`),
    );
    details.addEventListener("toggle", () => {
        if (details.open && details.children.length === 1)
            details.append(
                table({
                    caption: "Declared facts; rows of one witness read the same register",
                    name: `declared-${passport.letter}`,
                    columns: ["fact", "value", "source", "witness", "status", "note"].map((title) => ({ title })),
                    rows: all.map((fact) => [
                        fact.name,
                        typeof fact.value === "number" ? written(fact.value, fact.unit ?? "") : fact.value ?? "unknown",
                        fact.source, fact.witness, fact.status, fact.note,
                    ]),
                }),
            );
    });
    return details;
}
