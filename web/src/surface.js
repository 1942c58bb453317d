// The mountain as a surface that turns: every cell a polygon, painted from the back to the front.
// The polygons stay; turning only gives them new corners and colours, so a frame costs a few
// thousand attribute changes and no layout of text.
import { svg } from "./dom.js";
import { figure } from "./figure.js";
import { isKnown, quantity as written } from "./format.js";
import { scaleBar } from "./heat.js";
import { letters } from "./scales.js";

const pitchRange = [0.25, 1.2];
const clamp = (value, [low, high]) => Math.min(high, Math.max(low, value));

// From the places (0 to 1 along each axis) and height to the drawing.
function projection(view, { width, height, em }) {
    const [sin, cos] = [Math.sin(view.yaw), Math.cos(view.yaw)];
    const [sinPitch, cosPitch] = [Math.sin(view.pitch), Math.cos(view.pitch)];
    const size = Math.min(width / 1.62, (height - em * 5) / 1.25);
    const centre = [width / 2, em * 2 + (height - em * 2) * 0.56];
    return (x, y, z) => {
        const [dx, dy] = [x - 0.5, y - 0.5];
        const side = dx * cos - dy * sin;
        const depth = dx * sin + dy * cos;
        return [
            centre[0] + side * size,
            centre[1] + depth * size * sinPitch - (z - 0.32) * size * 0.62 * cosPitch,
            depth,
        ];
    };
}

const pair = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;

// Facets between neighbouring points; one whose corners are not all known is left open.
function facetsOf(model) {
    const facets = [];
    for (let row = 0; row + 1 < model.rows.length; row++)
        for (let column = 0; column + 1 < model.columns.length; column++) {
            const corners = [[row, column], [row, column + 1], [row + 1, column + 1], [row + 1, column]];
            const values = corners.map(([r, c]) => model.value(r, c));
            if (values.every(isKnown))
                facets.push({
                    corners, row, column, colour: model.paint(values.reduce((a, b) => a + b) / 4),
                });
        }
    return facets;
}

// model: { across, upward, columns, rows, value, quantity, paint }; state: { chosen(), choose() }
export function surface(spec) {
    const { model } = spec;
    const view = { yaw: -0.65, pitch: 0.62 };
    const facets = facetsOf(model);
    const place = (index, count) => (count > 1 ? index / (count - 1) : 0.5);
    const height = (value) => (isKnown(value) ? model.paint.share(value) : 0);
    let paintFrame = () => {};

    function corner(project, row, column) {
        return project(
            place(column, model.columns.length),
            1 - place(row, model.rows.length),
            height(model.value(row, column)),
        );
    }

    // The four sides of the floor, the two of them in front with the names of the axes.
    function floor(project, em) {
        const across = `${model.across.name} ${written(model.columns[0], model.across.unit)} to ` +
            written(model.columns[model.columns.length - 1], model.across.unit);
        const upward = `${model.upward.name} ${written(model.rows[0], model.upward.unit)} to ` +
            written(model.rows[model.rows.length - 1], model.upward.unit);
        const sides = [
            { ends: [[0, 0], [1, 0]], name: across }, { ends: [[0, 1], [1, 1]], name: across },
            { ends: [[0, 0], [0, 1]], name: upward }, { ends: [[1, 0], [1, 1]], name: upward },
        ].map((side) => {
            const [a, b] = side.ends.map(([x, y]) => project(x, y, 0));
            return { ...side, a, b, depth: (a[2] + b[2]) / 2, middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
        });
        const front = [sides.slice(0, 2), sides.slice(2)].map((both) =>
            both.reduce((near, side) => (side.depth > near.depth ? side : near)),
        );
        return { sides, front, em };
    }

    function build({ width, em }) {
        const tall = Math.max(270, Math.min(640, width * 0.62));
        const polygons = facets.map((_, index) => svg("polygon", { class: "facet", "data-order": index }));
        const edges = Array.from({ length: 4 }, () => svg("path", { class: "edge", fill: "none" }));
        const posts = Array.from({ length: 4 }, () => svg("path", { class: "edge post", fill: "none" }));
        const names = Array.from({ length: 2 }, () => svg("text", { class: "name" }));
        const ridges = ["size", "stride"].map((kind) => svg("path", { class: `ridge ${kind}` }));
        const peak = svg("circle", { class: "peak", r: 5 });
        const colours = [];
        let painted = [];

        paintFrame = () => {
            const project = projection(view, { width, height: tall, em });
            const points = model.rows.map((_, row) =>
                model.columns.map((_, column) => corner(project, row, column)),
            );
            const written = points.map((line) => line.map(pair));
            const depth = ({ row, column }) => points[row][column][2] + points[row + 1][column + 1][2];
            painted = facets
                .map((facet) => ({ facet, depth: depth(facet) }))
                .sort((a, b) => a.depth - b.depth);
            painted.forEach(({ facet }, index) => {
                const [a, b, c, d] = facet.corners.map(([r, column]) => written[r][column]);
                polygons[index].setAttribute("points", `${a} ${b} ${c} ${d}`);
                if (colours[index] === facet.colour) return;
                colours[index] = facet.colour;
                polygons[index].setAttribute("fill", facet.colour);
            });
            const { sides, front } = floor(project, em);
            sides.forEach((side, index) => edges[index].setAttribute("d", `M${pair(side.a)}L${pair(side.b)}`));
            drawPosts(project, points);
            front.forEach((side, index) => nameSide(names[index], side, width, em));
            drawRidges(ridges, peak, points);
        };

        // From the corners of the floor up to the surface, which show how high it stands.
        function drawPosts(project, points) {
            const [lastRow, lastColumn] = [model.rows.length - 1, model.columns.length - 1];
            [[0, 0], [0, lastColumn], [lastRow, 0], [lastRow, lastColumn]].forEach(([r, c], index) => {
                const foot = project(place(c, lastColumn + 1), 1 - place(r, lastRow + 1), 0);
                posts[index].setAttribute("d", `M${pair(foot)}L${pair(points[r][c])}`);
            });
        }

        function drawRidges([size, stride], dot, points) {
            const [row, column] = spec.chosen();
            const path = (list) => `M${list.map(pair).join("L")}`;
            size.setAttribute("d", path(points[row]));
            stride.setAttribute("d", path(points.map((line) => line[column])));
            dot.setAttribute("cx", points[row][column][0]);
            dot.setAttribute("cy", points[row][column][1]);
        }

        const drawing = svg(
            "svg",
            {
                viewBox: `0 0 ${width} ${tall}`, width, height: tall, class: "turning", tabindex: "0",
                role: "application", "aria-roledescription": "surface",
                "aria-label": `${spec.title}. Left and right turn it, up and down tilt it; its cells are in the heat map.`,
            },
            scaleBar(model.paint, model.quantity.unit, {
                x: width / 2 - Math.min(em * 7, width * 0.18), y: em * 0.6, width: Math.min(em * 14, width * 0.36), em,
            }),
            svg("g", { "aria-hidden": "true" }, edges, posts, polygons, ridges, peak, names),
        );
        paintFrame();
        listen(drawing, (index) => painted[index]?.facet);
        return drawing;
    }

    function nameSide(text, side, width, em) {
        const right = side.middle[0] >= width / 2;
        const length = letters(side.name, em) * 1.08;
        const x = clamp(side.middle[0], right ? [0, width - length - 4] : [length + 4, width]);
        text.setAttribute("text-anchor", right ? "start" : "end");
        text.setAttribute("x", x + (right ? em : -em) * (x === side.middle[0] ? 1 : 0));
        text.setAttribute("y", side.middle[1] + em * (right ? 1.9 : 3.2));
        text.textContent = side.name;
    }

    function turn(yaw, pitch) {
        view.yaw += yaw;
        view.pitch = clamp(view.pitch + pitch, pitchRange);
        paintFrame();
        spec.turned?.(view);
    }

    function listen(drawing, facetAt) {
        let from = null;
        let far = 0;
        drawing.addEventListener("pointerdown", (event) => {
            from = [event.clientX, event.clientY];
            far = 0;
            drawing.setPointerCapture(event.pointerId);
        });
        drawing.addEventListener("pointermove", (event) => {
            if (!from) return;
            const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
            far += Math.hypot(dx, dy);
            from = [event.clientX, event.clientY];
            turn(-dx * 0.008, dy * 0.006);
        });
        const end = (event) => {
            const clicked = from && far < 4 && event.type === "pointerup";
            from = null;
            const target = clicked && document.elementFromPoint(event.clientX, event.clientY);
            const facet = target?.dataset?.order && facetAt(Number(target.dataset.order));
            if (facet) spec.choose(facet.row, facet.column);
        };
        drawing.addEventListener("pointerup", end);
        drawing.addEventListener("pointercancel", end);
        drawing.addEventListener("keydown", (event) => {
            const step = {
                ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08],
            }[event.key];
            if (!step) return;
            event.preventDefault();
            turn(...step);
        });
    }

    const made = figure({
        ...spec,
        hint: "Drag to turn, click to choose where the slices lie; arrow keys turn too.",
        draw: build,
    });
    return {
        ...made,
        paint: () => paintFrame(),
        turnTo(yaw) {
            view.yaw = yaw;
            paintFrame();
        },
    };
}
