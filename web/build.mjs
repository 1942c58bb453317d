// Makes one file of the page: page.html with its script and style inside, allowed by hash and
// by nothing else, and page_template.S, which embeds it.
//   node build.mjs OUT/page.html OUT/page_template.S
// What can fool it: a hash covers the exact text between the tags, so nothing may touch the
// page's script or style afterwards; the marks that the program fills stand outside both.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [pagePath, assemblyPath] = process.argv.slice(2).map((path) => resolve(path));
const largest = 150000; // bytes, before any data

const options = {
    absWorkingDir: here,
    bundle: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    minify: true,
    write: false,
};

async function bundle(entry, more) {
    const result = await build({ ...options, entryPoints: [join(here, "src", entry)], ...more });
    return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const script = await bundle("main.js", {
    format: "iife",
    target: "es2020",
    loader: { ".css": "text" },
});
const style = await bundle("page.css", {});
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Error("the script or the style would end its own element");

const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");

const parts = { policy, script, style };
const page = readFileSync(join(here, "src", "page.html"), "utf8").replace(
    /@@build:(\w+)@@/g,
    (_, name) => parts[name],
);
const bytes = Buffer.byteLength(page);
if (bytes > largest) throw new Error(`the page is ${bytes} bytes before data, above ${largest}`);

writeFileSync(pagePath, page);
writeFileSync(
    assemblyPath,
    `/* The page of ${bytes} bytes, ${hash(page)}: made by web/build.mjs.
 * The hash is here so that this file changes whenever the page does. */
    .section .rodata
    .balign 8
    .globl sonde_report_page_template
    .hidden sonde_report_page_template
    .type sonde_report_page_template, %object
sonde_report_page_template:
    .incbin "${pagePath}"
    .size sonde_report_page_template, . - sonde_report_page_template
    .balign 8
    .globl sonde_report_page_length
    .hidden sonde_report_page_length
    .type sonde_report_page_length, %object
sonde_report_page_length:
    .quad ${bytes}
    .size sonde_report_page_length, 8
    .section .note.GNU-stack, "", %progbits
`,
);
