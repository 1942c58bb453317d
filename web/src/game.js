// The game: three sliders with which the reader places the caches on the mountain; then what was
// measured and what is declared appear beside the guess. Nothing is given away before.
import { h } from "./dom.js";
import { isKnown, quantity as written } from "./format.js";
import { cliffs } from "./mountain.js";
import { table } from "./table.js";

const names = ["first level", "second level", "last level"];
const perOctave = 8;

// What each slider is held against: the first and second level, and the last of those beyond.
function truths(boundaries, model) {
    const of = (kind) => {
        const rows = boundaries.filter((mark) => mark.kind === kind);
        const level = (wanted) => rows.find((mark) => wanted.includes(mark.level));
        return [level(["L1d"]), level(["L2"]), level(["LLC"]) ?? level(["L4"]) ?? level(["L3"])];
    };
    const falls = cliffs(model);
    return names.map((name, index) => ({
        name,
        measured: of("measured")[index] ?? null,
        declared: of("declared")[index] ?? null,
        cliff: falls,
    }));
}

const factor = (guess, truth) => {
    const ratio = guess > truth ? guess / truth : truth / guess;
    if (ratio < 1.1) return "right";
    return `${ratio.toPrecision(2)} times too ${guess > truth ? "large" : "small"}`;
};

function nearest(list, size) {
    return list.reduce(
        (best, value) =>
            best === null || Math.abs(Math.log(value / size)) < Math.abs(Math.log(best / size)) ? value : best,
        null,
    );
}

export function game({ model, boundaries, suffix, name, onchange }) {
    const low = Math.log2(model.columns[0]);
    const high = Math.log2(model.columns[model.columns.length - 1]);
    const guess = names.map((_, index) => low + ((high - low) * (index + 1)) / 4);
    const answer = h("div", { class: "answer", "aria-live": "polite" });
    const rows = truths(boundaries, model);
    let revealed = false;
    const size = (index) => 2 ** guess[index];

    function marks() {
        const list = names.map((label, index) => ({
            kind: "guess", x: size(index), label: `${label}?`,
        }));
        if (revealed)
            for (const row of rows)
                if (row.measured)
                    list.push({ kind: "measured", x: row.measured.x, label: `${row.measured.level} measured` });
        return list;
    }
    function compared() {
        return table({
            caption: `Your guess beside the machine${suffix}`, name,
            columns: [
                { title: "cache" }, { title: "your guess", number: true },
                { title: "cliff nearest to it", number: true }, { title: "measured", number: true },
                { title: "declared", number: true }, { title: "your guess is" },
            ],
            rows: rows.map((row, index) => {
                const cliff = nearest(row.cliff, size(index));
                const truth = row.measured?.x ?? row.declared?.x;
                return [
                    row.name, written(size(index), "bytes"),
                    cliff === null ? "none seen" : written(cliff, "bytes"),
                    row.measured ? row.measured.text : "not measured",
                    row.declared ? written(row.declared.x, "bytes") : "not declared",
                    isKnown(truth) ? factor(size(index), truth) : "anybody's",
                ];
            }),
        });
    }
    function changed() {
        if (revealed) answer.replaceChildren(compared());
        onchange(marks());
    }
    const sliders = names.map((label, index) => {
        const shown = h("output", {}, written(size(index), "bytes"));
        const input = h("input", {
            type: "range", min: low, max: high, step: 1 / perOctave, value: guess[index],
            "aria-valuetext": written(size(index), "bytes"),
            oninput(event) {
                guess[index] = Number(event.target.value);
                shown.textContent = written(size(index), "bytes");
                event.target.setAttribute("aria-valuetext", shown.textContent);
                changed();
            },
        });
        return h("label", {}, `The ${label} ends at `, shown, input);
    });
    const reveal = h(
        "button",
        {
            type: "button", class: "main",
            onclick() {
                revealed = true;
                changed();
            },
        },
        "Reveal",
    );
    onchange(marks());
    return h(
        "section",
        { class: "game", "aria-label": `Guess the caches${suffix}` },
        h("h3", {}, `Where do the caches end?${suffix}`),
        h("p", {}, "Each cliff along the sizes is a cache that no longer holds the working set. Place the three where you see them, then compare."),
        h("div", { class: "sliders" }, sliders),
        reveal,
        answer,
    );
}
