// The frame of every figure: caption, drawing, a line that reads out what is pointed at, a
// legend, the numbers as a table, and a button that saves the drawing with its styles.
//
// Drawings are made for the width they have and made anew when it changes, so that letters
// stay as large on a phone as on a wall.
import style from "./figure.css";
import { h, identifier, save, svg } from "./dom.js";
import { table } from "./table.js";

// The width of A4 between its margins, whole and half, and the letters of the print style.
const paperWide = { width: 664, em: 8.25 };
const paperHalf = { width: 318, em: 8.25 };

// The saved file stands alone: variables become the colours they have here and now.
function standalone(drawing, title) {
    const computed = getComputedStyle(document.documentElement);
    const rules = style.replace(/var\((--[\w-]+)\)/g, (_, name) =>
        computed.getPropertyValue(name).trim(),
    );
    const copy = drawing.cloneNode(true);
    for (const node of copy.querySelectorAll("[tabindex]")) node.removeAttribute("tabindex");
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    // With its title above, which on the page stands outside of it.
    const [, , width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
    const above = parseFloat(computed.fontSize) * 1.8;
    copy.setAttribute("viewBox", `0 ${-above} ${width} ${height + above}`);
    copy.setAttribute("height", height + above);
    copy.prepend(
        svg("rect", { class: "ground", y: -above, width, height: height + above }),
        svg("text", { class: "title", x: 4, y: -above * 0.35 }, title),
    );
    const text = new XMLSerializer().serializeToString(copy);
    const size = computed.fontSize;
    const sheet = `<style>svg{font:${size} system-ui,sans-serif}${rules}</style>`;
    return text.replace(/^<svg[^>]*>/, (open) => open + sheet.replace(/[<&](?!\/?style>)/g, ""));
}

// { title, note, name, draw({width, em}) -> svg element, numbers() -> {columns, rows},
//   controls, wide }; answers { node, say(text), redraw() }.
export function figure(spec) {
    const stage = h("div", { class: "stage" });
    const reading = h("output", { class: "reading", "aria-live": "polite" }, spec.hint ?? "");
    let drawing = null;
    let drawnWidth = 0;

    function redraw(paper) {
        const width = Math.max(260, Math.floor(stage.clientWidth || 640));
        const em = parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.75;
        drawnWidth = stage.clientWidth;
        drawing = spec.draw(paper ?? { width, em });
        stage.replaceChildren(drawing);
    }
    // On paper the screen's drawing would be shrunk until its letters cannot be read.
    addEventListener("beforeprint", () => redraw(spec.wide ? paperWide : paperHalf));
    addEventListener("afterprint", () => redraw());

    const numbers = h("details", { class: "numbers" }, h("summary", {}, "Numbers"));
    numbers.addEventListener("toggle", () => {
        if (numbers.open && numbers.children.length === 1)
            numbers.append(table({ caption: spec.title, name: spec.name, ...spec.numbers() }));
    });
    const node = h(
        "figure",
        { class: spec.wide ? "wide" : null },
        h("figcaption", {}, spec.heading ?? h("h4", {}, spec.title), spec.note && h("p", {}, spec.note)),
        spec.controls,
        stage,
        reading,
        h(
            "div",
            { class: "tools" },
            h(
                "button",
                {
                    type: "button",
                    "aria-label": `Save as SVG: ${spec.title}`,
                    onclick: () =>
                        save(`${identifier(spec.name ?? spec.title)}.svg`, "image/svg+xml", standalone(drawing, node.querySelector("h4").textContent)),
                },
                "Save SVG",
            ),
            spec.numbers && numbers,
        ),
    );
    new ResizeObserver(() => {
        if (stage.clientWidth && stage.clientWidth !== drawnWidth) redraw();
    }).observe(stage);
    return { node, redraw: () => redraw(), say: (text) => (reading.textContent = text) };
}
