// Elements. Text goes in as text, never as markup, so a passport cannot say anything but words.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity))
        if (child !== undefined && child !== null && child !== false)
            node.append(child.nodeType ? child : document.createTextNode(String(child)));
    return node;
}

export const h = (name, attributes, ...children) =>
    fill(document.createElement(name), attributes, children);

export const svg = (name, attributes, ...children) =>
    fill(document.createElementNS(SVG, name), attributes, children);

let last = 0;
export const fresh = (stem) => `${stem}-${++last}`;

// Names come from files: an id is made of what is harmless in one.
export const identifier = (text) => String(text).replace(/[^A-Za-z0-9_-]/g, "-");

export function save(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = h("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}
