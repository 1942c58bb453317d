// Tables: real ones, which screen readers know how to walk, in a frame that scrolls by itself
// where they are wider than the screen, each with a button that saves it as CSV.
import { fresh, h, identifier, save } from "./dom.js";

// A field that a spreadsheet would take for a formula is given a quote before it.
function field(value) {
    let text = value === null || value === undefined ? "" : String(value).replace(/\u00a0/g, " ");
    if (/^[=+@\t\r]|^-(?!\d)/.test(text)) text = `'${text}`;
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

const plain = (cell) => (cell && typeof cell === "object" && "text" in cell ? cell.text : cell);

export function csv(columns, rows) {
    const lines = [columns.map((column) => field(column.title))];
    for (const row of rows) lines.push(row.map((cell) => field(plain(cell))));
    return lines.map((line) => line.join(",")).join("\r\n") + "\r\n";
}

// A cell is a text, or { text, node, number, header }.
function cellOf(cell, column, first) {
    const rich = cell && typeof cell === "object" && "text" in cell ? cell : { text: cell };
    const name = first && column.header !== false ? "th" : "td";
    return h(
        name,
        {
            scope: name === "th" ? "row" : null,
            class: [column.number ? "number" : "", rich.class ?? ""].join(" ").trim() || null,
        },
        rich.node ?? rich.text ?? "",
    );
}

// columns: [{ title, number }], rows: arrays of cells in their order.
export function table({ caption, columns, rows, name, hidden }) {
    const id = fresh("caption");
    const element = h(
        "table",
        {},
        h("caption", { id, class: hidden ? "unseen" : null }, caption),
        h(
            "thead",
            {},
            h(
                "tr",
                {},
                columns.map((column) =>
                    h("th", { scope: "col", class: column.number ? "number" : null }, column.title),
                ),
            ),
        ),
        h(
            "tbody",
            {},
            rows.map((row) =>
                h(
                    "tr",
                    {},
                    row.map((cell, index) => cellOf(cell, columns[index], index === 0)),
                ),
            ),
        ),
    );
    const file = `${identifier(name ?? caption)}.csv`;
    return h(
        "div",
        { class: "table" },
        h(
            "div",
            { class: "scroll", role: "region", tabindex: "0", "aria-labelledby": id },
            element,
        ),
        h(
            "p",
            { class: "tools" },
            h(
                "button",
                {
                    type: "button",
                    "aria-label": `Save as CSV: ${caption}`,
                    onclick: () => save(file, "text/csv", csv(columns, rows)),
                },
                "Save CSV",
            ),
        ),
    );
}
