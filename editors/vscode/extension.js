// Starts the language server of perfectplay for rules files.
"use strict";

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
    const command = workspace.getConfiguration("perfectplay").get("command", "perfectplay");
    const server = { command, args: ["lsp"] };
    const options = { documentSelector: [{ language: "perfectplay" }] };
    client = new LanguageClient("perfectplay", "Perfect Play", server, options);
    return client.start();
}

function deactivate() {
    return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
