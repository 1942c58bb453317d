// The page: reads the passports that stand in it and builds its sections from them.
import { h, identifier } from "./dom.js";
import { comparison, controls, findings } from "./findings.js";
import { figuresOf } from "./figures.js";
import { facts, levelTables, machine, warnings } from "./machine.js";
import { isMountain, load } from "./model.js";
import { mountain } from "./mountain.js";

const { passports, probes } = load();
const several = passports.length > 1;
const known = passports.map((passport) => ({ ...passport, probes: passport.probes ?? {} }));
known.forEach((passport, index) => (passports[index].probes = passport.probes));

const sections = [];
function section(title, short, ...content) {
    const id = identifier(short);
    sections.push({ id, short });
    return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), content);
}

function advice() {
    const said = passports.filter((passport) => passport.words.advice?.length);
    return said.map((passport) => [
        several && h("h3", {}, passport.title),
        h("ul", { class: "advice" }, passport.words.advice.map((sentence) => h("li", {}, sentence))),
    ]);
}

// How a probe ended, where it did not simply measure.
function endings(name) {
    return passports
        .filter((passport) => passport.probes[name] && passport.probes[name].status !== "measured")
        .map((passport) => {
            const { status, reason, remedy } = passport.probes[name];
            return h(
                "p",
                { class: "note" },
                several && `${passport.title}: `,
                `${status}${reason ? `: ${reason}` : ""}${remedy ? ` → ${remedy}` : ""}`,
            );
        });
}

function mountains(name) {
    return passports.flatMap((passport) =>
        Object.entries(passport.probes[name]?.series ?? {})
            .filter(([series, value]) => isMountain(series, value) && value.points.some((p) => typeof p.best === "number"))
            .map(([, value]) => mountain(passport, value, several)),
    );
}

function probeSection(name) {
    const about = probes[name];
    const figures = figuresOf(name, passports);
    const content = [mountains(name), figures.length > 0 && h("div", { class: "figures" }, figures)];
    if (!content.flat(2).some(Boolean) && !endings(name).length) return null;
    return section(
        name,
        name,
        about && h("p", { class: "lead" }, about.asks || about.summary),
        endings(name),
        content,
    );
}

const names = [...new Set(passports.flatMap((passport) => Object.keys(passport.probes)))];
// The curves of latency and the mountain first: they are what the levels were read from.
const first = ["latency", "mountain"].filter((name) => names.includes(name));
const ordered = [...first, ...names.filter((name) => !first.includes(name))];

const said = advice();
const body = [
    section("The machine", "machine", machine(passports), passports.map((p) => (p.facts?.length ? facts(p, several) : null))),
    section("What to be wary of", "warnings", warnings(passports)),
    section("Levels", "levels", levelTables(passports)),
    several && section("Side by side", "compare", comparison(passports)),
    said.length > 0 && section("What this means for your code", "advice", said),
    ordered.map(probeSection),
    section("Findings", "findings", passports.map((p) => findings(p, several))),
    section("Controls", "controls", passports.map((p) => controls(p, several))),
];

const lead = passports.map((passport) => {
    const parts = [passport.machine?.model, passport.machine?.kernel, passport.machine?.date].filter(Boolean);
    return h("p", { class: "lead" }, several && h("b", {}, `${passport.title} `), parts.join(" · "));
});

// The list of sections: open where there is room for it, else behind a word. What is scrolled
// to must not lie under it.
const wide = matchMedia("(min-width: 60rem)");
const menu = h(
    "details",
    { class: "menu" },
    h("summary", {}, "Sections"),
    h("ul", {}, sections.map(({ id, short }) => h("li", {}, h("a", { href: `#${id}` }, short)))),
);
const unfold = () => (menu.open = wide.matches);
wide.addEventListener("change", unfold);
unfold();
menu.addEventListener("click", (event) => {
    if (!wide.matches && event.target.closest("a")) menu.open = false;
});
menu.addEventListener("keydown", (event) => {
    if (!wide.matches && event.key === "Escape") menu.open = false;
});
const nav = h("nav", { "aria-label": "Sections" }, menu);
new ResizeObserver(() =>
    document.documentElement.style.setProperty("--above", `${nav.offsetHeight + 8}px`),
).observe(nav);

document.body.prepend(
    h("a", { class: "skip", href: "#machine" }, "To the content"),
    h("header", {}, h("h1", {}, several ? `sonde: ${passports.length} passports` : `sonde: ${passports[0]?.title ?? "no passport"}`), lead),
    nav,
    h("main", {}, body),
    h("footer", {}, "Made by sonde. Everything is in this file; nothing was fetched."),
);
