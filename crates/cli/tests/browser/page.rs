//! A page of the browser: what a person does with it, and what is seen on it.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::socket::Socket;

/// How long something may take to show.
const PATIENCE: Duration = Duration::from_secs(30);

/// A page that is open.
pub struct Page {
    socket: Socket,
    session: String,
    last: u64,
    /// Errors of scripts, and what the content security policy refused.
    complaints: Vec<String>,
    /// The addresses of all requests.
    pub requests: Vec<String>,
    /// Requests that were refused: number and address.
    pub failures: Vec<String>,
}

impl Page {
    /// Opens an empty page over a connection of its own.
    pub fn new(socket: Socket) -> Self {
        let mut page = Self {
            socket,
            session: String::new(),
            last: 0,
            complaints: Vec::new(),
            requests: Vec::new(),
            failures: Vec::new(),
        };
        let target = page.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = page.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        page.session = attached["sessionId"].as_str().expect("a session").to_string();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.size(1280, 900);
        page
    }

    /// Calls a method of the protocol, and takes in what the browser reports meanwhile.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(&message.to_string()).expect("the browser listens");
        loop {
            let text = self.socket.receive().expect("the browser answers");
            let mut answer: Value = serde_json::from_str(&text).expect("the browser writes JSON");
            if answer["id"] == json!(self.last) {
                assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            self.hear(&answer);
        }
    }

    fn hear(&mut self, event: &Value) {
        let told = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                let details = &told["exceptionDetails"];
                self.complaints.push(format!("{} {}", details["text"], details["exception"]["description"]));
            }
            // Answers such as 422 are logged as errors of the network; the page shows them.
            Some("Log.entryAdded") if told["entry"]["level"] == "error" && told["entry"]["source"] != "network" => {
                self.complaints.push(told["entry"]["text"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                self.requests.extend(told["request"]["url"].as_str().map(str::to_string));
            }
            Some("Network.responseReceived") if told["response"]["status"].as_u64() >= Some(400) => {
                self.failures.push(format!("{} {}", told["response"]["status"], told["response"]["url"]));
            }
            _ => {}
        }
    }

    /// Goes to an address and waits until it is loaded.
    pub fn open(&mut self, url: &str) {
        // Another fragment alone would not load the page again.
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.wait("location.href === 'about:blank'");
        self.call("Page.navigate", json!({"url": url}));
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// How large the window is.
    pub fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// The value of an expression of JavaScript.
    pub fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.call("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let begun = Instant::now();
        // A page that is just being left has no values: the next look has.
        let guarded = format!("(() => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }})()");
        loop {
            if self.eval(&guarded) == json!(true) {
                return;
            }
            if begun.elapsed() > PATIENCE {
                let shown = self.eval("document.body?.innerText.slice(0, 2000)");
                panic!("waited in vain for {expression}\ncomplaints: {:?}\nthe page shows: {shown}", self.complaints);
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// The text of an element, once it is there.
    pub fn text(&mut self, selector: &str) -> String {
        let found = format!("document.querySelector({})", json!(selector));
        self.wait(&format!("{found} !== null"));
        self.eval(&format!("{found}.textContent")).as_str().expect("a text").to_string()
    }

    /// Waits until the text of an element has a part.
    pub fn sees(&mut self, selector: &str, part: &str) {
        let (selector, part) = (json!(selector), json!(part));
        self.wait(&format!("document.querySelector({selector}).textContent.includes({part})"));
    }

    /// How many elements there are.
    pub fn count(&mut self, selector: &str) -> usize {
        let count = self.eval(&format!("document.querySelectorAll({}).length", json!(selector)));
        usize::try_from(count.as_u64().expect("a number")).expect("a count")
    }

    /// Clicks an element with the mouse, as a person does: something in front of it would get the click.
    pub fn click(&mut self, selector: &str) {
        let found = format!("document.querySelector({})", json!(selector));
        self.wait(&format!("{found} !== null && !{found}.disabled"));
        let middle = self.eval(&format!(
            "(() => {{ const node = {found}; node.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }}); \
             const box = node.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; }})()"
        ));
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 => key,
            _ => "",
        };
        // The browser itself acts on some keys, and knows them by their numbers.
        let number = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            _ => 0,
        };
        let down = json!({"type": "keyDown", "key": key, "text": text, "unmodifiedText": text, "code": key, "windowsVirtualKeyCode": number});
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key, "code": key}));
    }

    /// Writes a text where the cursor is.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Chooses an option of a select box.
    pub fn choose(&mut self, selector: &str, value: &str) {
        let (selector, value) = (json!(selector), json!(value));
        self.eval(&format!(
            "(() => {{ const node = document.querySelector({selector}); node.value = {value}; \
             node.dispatchEvent(new Event('change', {{ bubbles: true }})); return true; }})()"
        ));
    }

    /// Nothing went wrong on the page that nobody saw.
    pub fn was_quiet(&mut self) {
        // What is on its way arrives before the answer to this.
        self.eval("new Promise((done) => setTimeout(() => done(true), 50))");
        assert!(self.complaints.is_empty(), "the page complained: {:#?}", self.complaints);
    }
}
