/** Where the names of a graph lie: forces as of Fruchterman and Reingold, the same every time. */

const ROUNDS = 220;
const EDGE = 46;
const ABOVE = 30;
const BELOW = 44;
const FARTHEST = 150;
const REACH = 4;
/** A picture of a few names is not drawn larger than so. */
const LARGEST = 1.4;

/**
 * @param {{id: string, count: number}[]} nodes
 * @param {{one: string, other: string, count: number}[]} links
 * @returns {Map<string, {x: number, y: number}>}
 */
export function layout(nodes, links, width, height) {
  const ideal = Math.min(FARTHEST, 0.82 * Math.sqrt((width * height) / Math.max(1, nodes.length)));
  const at = new Map(nodes.map((node, index) => {
    // A sunflower: evenly spread, the most mentioned in the middle.
    const [angle, far] = [index * 2.39996, Math.sqrt(index + 0.5) / Math.sqrt(nodes.length + 1)];
    return [node.id, { x: width / 2 + (far * Math.cos(angle) * width) / 2.4, y: height / 2 + (far * Math.sin(angle) * height) / 2.4 }];
  }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const moves = new Map(nodes.map((node) => [node.id, { x: 0, y: 0 }]));
    repel(nodes, at, moves, ideal);
    attract(links, at, moves, ideal);
    const most = (width / 9) * (1 - round / ROUNDS) + 0.5;
    for (const { id } of nodes) {
      const [point, move] = [at.get(id), moves.get(id)];
      move.x += (width / 2 - point.x) * 0.1;
      move.y += (height / 2 - point.y) * 0.12;
      const far = Math.hypot(move.x, move.y) || 1;
      nudge(point, (move.x / far) * Math.min(far, most), (move.y / far) * Math.min(far, most));
    }
  }
  fit([...at.values()], "x", EDGE, width - EDGE);
  fit([...at.values()], "y", ABOVE, height - BELOW);
  return at;
}

/** Held back at the edges while they move, names would line up there. */
function fit(points, axis, low, high) {
  const places = points.map((point) => point[axis]);
  const [least, most] = [Math.min(...places), Math.max(...places)];
  const scale = Math.min(LARGEST, (high - low) / Math.max(1, most - least));
  for (const point of points) point[axis] = (low + high) / 2 + (point[axis] - (least + most) / 2) * scale;
}

function repel(nodes, at, moves, ideal) {
  for (let i = 0; i < nodes.length; i += 1) {
    for (let j = i + 1; j < nodes.length; j += 1) {
      const [a, b] = [at.get(nodes[i].id), at.get(nodes[j].id)];
      // Names are wider than high: they need more room beside each other.
      const [dx, dy] = [(a.x - b.x) / 1.5 || 0.1, a.y - b.y];
      const square = dx * dx + dy * dy;
      // Farther apart they leave each other alone: who is joined to nobody would drift away.
      if (square > REACH * ideal * ideal) continue;
      const push = (ideal * ideal) / Math.max(9, square);
      nudge(moves.get(nodes[i].id), dx * push, dy * push);
      nudge(moves.get(nodes[j].id), -dx * push, -dy * push);
    }
  }
}

function attract(links, at, moves, ideal) {
  for (const { one, other, count } of links) {
    const [a, b] = [at.get(one), at.get(other)];
    const [dx, dy] = [a.x - b.x, a.y - b.y];
    const pull = (Math.hypot(dx, dy) / ideal) * Math.min(1, 0.25 + count / 8);
    nudge(moves.get(one), -dx * pull, -dy * pull);
    nudge(moves.get(other), dx * pull, dy * pull);
  }
}

function nudge(move, x, y) {
  move.x += x;
  move.y += y;
}
