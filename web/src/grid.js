// Cells that the keyboard walks: one of them is in the order of Tab, arrows move on from there,
// Home and End go along the row, Page Up and Page Down along the column.
const steps = {
    ArrowLeft: (r, c) => [r, c - 1],
    ArrowRight: (r, c) => [r, c + 1],
    ArrowUp: (r, c) => [r - 1, c],
    ArrowDown: (r, c) => [r + 1, c],
    Home: (r) => [r, 0],
    End: (r, _, rows, columns) => [r, columns - 1],
    PageUp: (_, c) => [0, c],
    PageDown: (_, c, rows) => [rows - 1, c],
};

const clamp = (value, count) => Math.min(count - 1, Math.max(0, value));

// Where a key leads from (row, column); null for any other key.
export function stepped(event, row, column, rows, columns) {
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return null;
    const [r, c] = step(row, column, rows, columns);
    event.preventDefault();
    return [clamp(r, rows), clamp(c, columns)];
}

// elements[row][column]; onmove is told where the focus or a click went.
export function rove(elements, start, onmove) {
    let [row, column] = start;
    const rows = elements.length;
    const columns = elements[0]?.length ?? 0;
    const at = (r, c) => elements[r][c];

    function go(r, c, focus) {
        at(row, column).setAttribute("tabindex", "-1");
        [row, column] = [r, c];
        at(row, column).setAttribute("tabindex", "0");
        if (focus) at(row, column).focus({ preventScroll: false });
    }
    elements.forEach((line, r) =>
        line.forEach((element, c) => {
            element.setAttribute("tabindex", r === row && c === column ? "0" : "-1");
            element.addEventListener("keydown", (event) => {
                const next = stepped(event, r, c, rows, columns);
                if (next) go(...next, true);
            });
            element.addEventListener("focus", () => {
                go(r, c, false);
                onmove(r, c);
            });
            element.addEventListener("click", () => go(r, c, true));
        }),
    );
    return go;
}
