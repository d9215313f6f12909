// Highlights every rules file of the gallery as an editor does, and compares with what the words are.
//
//   node highlight.js MODULES GRAMMAR GAMES...
//
// MODULES is a folder in which vscode-textmate and vscode-oniguruma are installed. `scripts/test-editors` runs this.
"use strict";

const fs = require("fs");
const path = require("path");
const [modules, grammarFile, ...games] = process.argv.slice(2);
const { Registry, INITIAL, parseRawGrammar } = require(path.resolve(modules, "vscode-textmate"));
const oniguruma = require(path.resolve(modules, "vscode-oniguruma"));

// Reserved words, each with the beginning of its scope.
const WORDS = {
    "keyword.control": ["break", "continue", "else", "for", "if", "return", "then", "when"],
    "keyword.operator.word": ["and", "in", "not", "or"],
    "keyword.declaration": ["fn", "game", "let", "move", "state", "var"],
    "constant.language": ["false", "mover", "opponent", "true"],
    "keyword.other": ["turn"],
};
const RESERVED = new Map(Object.entries(WORDS).flatMap(([scope, words]) => words.map(word => [word, scope])));

let wrong = 0;
function complain(file, line, message) {
    wrong += 1;
    console.error(`${path.basename(file)}:${line + 1}: ${message}`);
}

// The parts of a line that are code, strings or comments, read without the grammar.
function kinds(text) {
    const found = new Array(text.length).fill("code");
    let quote = "";
    for (let at = 0; at < text.length; at += 1) {
        if (quote) {
            found[at] = "string";
            if (text[at] === "\\") {
                found[at + 1] = "string";
                at += 1;
            } else if (text[at] === quote) quote = "";
        } else if (text.startsWith("//", at)) {
            found.fill("comment", at);
            break;
        } else if (text[at] === '"' || text[at] === "'") {
            quote = text[at];
            found[at] = "string";
        }
    }
    return found;
}

function checkToken(file, number, text, token, kind) {
    const word = text.slice(token.startIndex, token.endIndex);
    const all = token.scopes.join(" ");
    const inner = token.scopes[token.scopes.length - 1];
    const say = what => complain(file, number, `\`${word}\` is ${inner}, and it is ${what}`);
    if (kind === "comment") {
        if (!/ comment\./.test(all)) say("a comment");
    } else if (kind === "string") {
        if (!/ string\./.test(all) && !/punctuation\.definition\.string/.test(all)) say("in a string");
    } else if (/ (comment|string)\./.test(all)) {
        say("code");
    } else if (RESERVED.has(word.trim())) {
        if (!inner.startsWith(RESERVED.get(word.trim()))) say(RESERVED.get(word.trim()));
    } else if (/^\d+$/.test(word)) {
        if (!inner.startsWith("constant.numeric")) say("a number");
    }
}

function checkFile(grammar, file) {
    const lines = fs.readFileSync(file, "utf8").split("\n");
    let stack = INITIAL;
    let entities = 0;
    lines.forEach((text, number) => {
        const { tokens, ruleStack } = grammar.tokenizeLine(text, stack);
        const kind = kinds(text);
        for (const token of tokens) {
            checkToken(file, number, text, token, kind[token.startIndex]);
            entities += token.scopes.some(scope => /^entity\.name\.(type|function)\.perfectplay/.test(scope));
            // A reserved word that no pattern sees is swallowed by plain text.
            const plain = token.scopes.length === 1 && kind[token.startIndex] === "code";
            const words = plain ? text.slice(token.startIndex, token.endIndex).match(/[\p{L}_][\p{L}\p{N}_]*/gu) || [] : [];
            words.filter(word => RESERVED.has(word)).forEach(word => complain(file, number, `\`${word}\` is not highlighted`));
        }
        stack = ruleStack;
    });
    if (stack.depth !== 1) complain(file, lines.length - 1, "something is still open at the end of the file");
    // The game and one of its moves.
    if (entities < 2) complain(file, 0, "the names of the game and of its moves are not highlighted");
}

async function main() {
    const wasm = fs.readFileSync(path.resolve(modules, "vscode-oniguruma/release/onig.wasm"));
    await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
    const registry = new Registry({
        onigLib: Promise.resolve({
            createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
            createOnigString: text => new oniguruma.OnigString(text),
        }),
        loadGrammar: async () => parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), grammarFile),
    });
    const grammar = await registry.loadGrammar("source.perfectplay");
    games.forEach(file => checkFile(grammar, file));
    console.log(`${games.length} files highlighted, ${wrong} mistakes`);
    process.exit(wrong ? 1 : 0);
}

main();
