// Where positions come from on a page without a server: a list of all positions, in which every move names the position it leads to.
import { chooseMove } from "./opponent.js";
import { signed } from "./dom.js";

const ORDER = ["first", "second", "third"];
const place = (player) => (ORDER.includes(player) ? ORDER.indexOf(player) : Number(player.replace(/\D+/g, "")));
const title = (player) => player.charAt(0).toUpperCase() + player.slice(1);

/** What a counted game brings in the end, with what was gained on the way. */
function whole(position, totals) {
  const mover = place(position.mover);
  const difference = totals[mover] - totals[1 - mover] + Number(position.value);
  const first = mover === 0 ? difference : -difference;
  const mark = difference > 0 ? "ahead" : difference < 0 ? "behind" : "equal";
  const leader = title(ORDER[first > 0 ? 0 : 1]);
  // What best play brings from here on is added to what was gained.
  const end = position.over ? totals : position.verdict.totals?.map((more, player) => more + totals[player]);
  const score = end ? `, ${Math.max(...end)} to ${Math.min(...end)}` : "";
  const by = `by ${Math.abs(first)}${score}`;
  const words = first === 0 ? (position.over ? `Equal scores, ${totals[0]} each` : "Equal scores") : position.over ? `${leader} has won ${by}` : `${leader} wins ${by}`;
  return { words, short: signed(difference), mark, height: first };
}

/** What everyone has in the end, with what was gained on the way, where each wants the most for themselves. */
function paid(position, totals) {
  const end = position.payoffs.map((more, player) => more + totals[player]);
  const most = Math.max(...end);
  const leaders = end.map((total, player) => (total === most ? player : -1)).filter((player) => player >= 0);
  const score = end.length === 2 ? `${most} to ${Math.min(...end)}` : end.join(" : ");
  const leader = ORDER[leaders[0]] ?? `player ${leaders[0] + 1}`;
  const words = leaders.length > 1 ? `The totals are ${score}` : `${title(leader)} ${position.over ? "has won" : "wins"}, ${score}`;
  return { ...position.verdict, words };
}

export class OfflineSource {
  constructor(data) {
    this.data = data;
    for (const position of data.positions) Object.assign(position, data.all);
  }

  /** The positions along some moves, each with the totals so far. */
  walk(moves) {
    let at = this.data.start ?? 0;
    const start = this.data.positions[at];
    let totals = start.kind === "score" || start.kind === "payoffs" ? Array(start.players).fill(0) : undefined;
    const steps = [{ at, totals }];
    for (const name of moves) {
      const move = this.data.positions[at].moves.find((one) => one.move === name);
      if (move === undefined) throw new Error(`There is no move ${name} here.`);
      totals = totals?.map((total, player) => total + (move.gains?.[player] ?? 0));
      const player = this.data.positions[at].mover;
      at = move.to;
      steps.push({ at, totals, name, player, mistake: move.best === false });
    }
    return steps;
  }

  verdict(position, totals) {
    if (position.kind === "score" && typeof position.value === "number") return whole(position, totals);
    return position.kind === "payoffs" && Array.isArray(position.payoffs) ? paid(position, totals) : position.verdict;
  }

  height(position, verdict) {
    if (verdict.height !== undefined) return verdict.height;
    const sign = { win: 1, lose: -1, draw: 0 }[position.outcome];
    return sign === undefined || position.players > 2 ? undefined : place(position.mover) === 0 ? sign : -sign;
  }

  /** The position after some moves. */
  async position(moves) {
    const steps = this.walk(moves);
    const history = steps.map((step) => {
      const there = this.data.positions[step.at];
      const verdict = this.verdict(there, step.totals);
      return {
        move: step.name,
        player: step.player,
        mover: there.mover,
        mark: verdict.mark,
        words: verdict.words,
        short: verdict.short,
        totals: step.totals,
        height: this.height(there, verdict),
        mistake: step.mistake || undefined,
      };
    });
    const last = steps.at(-1);
    const here = this.data.positions[last.at];
    return { ...here, after: moves, totals: last.totals, verdict: this.verdict(here, last.totals), history };
  }

  /** The computer's move there. */
  async opponent(moves, level, slip) {
    const here = this.data.positions[this.walk(moves).at(-1).at];
    const wrongAfter = (move) => this.data.positions[move.to].moves.filter((answer) => answer.best === false).length;
    return chooseMove(here.moves, level, wrongAfter, slip);
  }
}
