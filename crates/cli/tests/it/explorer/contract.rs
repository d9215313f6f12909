//! `openapi.json` itself: every field has a description, and what the command line prints too is described once.

use serde_json::Value;

use super::client::Server;
use crate::schema::{Schema, described_all};

#[test]
fn what_the_command_line_prints_too_is_described_once() {
    let own = Schema::from_file("../explorer/openapi.json", "/components/schemas");
    let (api, cli) = (Schema::of_api(), Schema::from_file("../../docs/schema.json", "/$defs"));
    let mut shared = 0;
    for (name, wanted) in cli.definitions() {
        assert!(!own.definitions().contains_key(name), "{name} is in docs/schema.json: remove it from openapi.json");
        if let Some(found) = api.definitions().get(name) {
            assert_eq!(found.to_string(), wanted.to_string().replace("#/$defs/", "#/components/schemas/"), "{name}");
            shared += 1;
        }
    }
    assert!(shared > 15, "{shared}");
    described_all(&api);
}

#[test]
fn every_path_that_is_described_is_there() {
    let server = Server::start("");
    let paths = server.schema.all["paths"].as_object().unwrap();
    for (path, operations) in paths {
        let filled = path.replace("{name}", "nim").replace("{job}", "none");
        for method in operations.as_object().unwrap().keys() {
            let json = "Content-Type: application/json\r\n";
            let answer = server.request(&method.to_uppercase(), &filled, json, "");
            server.hold(method, path, &answer, "");
            assert_ne!(answer.status, 405, "{method} {path}");
        }
        assert_eq!(server.request("PUT", &filled, "", "").status, 405, "{path}");
    }
    let served: Value = server.get("/api/v1/openapi.json").json();
    assert_eq!(served, server.schema.all);
}
