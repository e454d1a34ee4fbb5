/** Where the names of a graph lie: forces as of Fruchterman and Reingold, the same every time. */

const ROUNDS = 220;
const EDGE = 46;
const BELOW = 44;
const FARTHEST = 150;

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
      point.x = clamp(point.x + (move.x / far) * Math.min(far, most), EDGE, width - EDGE);
      point.y = clamp(point.y + (move.y / far) * Math.min(far, most), EDGE / 2, height - BELOW);
    }
  }
  return at;
}

function repel(nodes, at, moves, ideal) {
  for (let i = 0; i < nodes.length; i += 1) {
    for (let j = i + 1; j < nodes.length; j += 1) {
      const [a, b] = [at.get(nodes[i].id), at.get(nodes[j].id)];
      // Names are wider than high: they need more room beside each other.
      const [dx, dy] = [(a.x - b.x) / 1.5 || 0.1, a.y - b.y];
      const push = (ideal * ideal) / Math.max(9, dx * dx + dy * dy);
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

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
