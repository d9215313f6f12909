// The keyboard's place. A position is drawn anew with every move; who plays with the keyboard stays on the same square or button, and
// where that is gone or cannot be used now, comes to the board.

/** Finds the focused thing again: what it is, and the number it has in its list. */
function placeOf(view, node) {
  const target = node.getAttribute("data-target") ?? node.getAttribute("data-place");
  if (target !== null && view.board.node.contains(node)) return { target };
  for (const [list, kind] of [[view.list.list, ".move"], [view.past.steps, ".step"]]) {
    if (list.contains(node)) return { list, kind, index: [...list.querySelectorAll(kind)].indexOf(node) };
  }
  return view.board.node.contains(node) ? { target: "" } : { node };
}

function nodeAt(view, { target, list, kind, index, node }) {
  if (target !== undefined) return view.board.place(target);
  if (list === undefined) return node;
  const nodes = [...list.querySelectorAll(kind)];
  return nodes[Math.min(index, nodes.length - 1)];
}

export class Focus {
  constructor(view) {
    this.view = view;
    this.wanted = undefined;
  }

  /** Draws with `draw`, and keeps the place. */
  around(draw) {
    const { view } = this;
    const before = document.activeElement;
    const inside = before !== null && view.node.contains(before);
    // On the board only because its own place could not be used: that place is still the one that is wanted.
    if (inside && before !== view.board.host) this.wanted = placeOf(view, before);
    draw();
    if (!inside || this.wanted === undefined) return;
    const after = nodeAt(view, this.wanted);
    const there = after && after.isConnected && !after.disabled && !after.hidden ? after : view.board.host;
    if (document.activeElement !== there) there.focus({ preventScroll: true });
  }
}
