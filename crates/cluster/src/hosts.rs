//! Where the processes of a cluster are: a host and a port for each.

/// The addresses of all processes, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    addresses: Vec<String>,
}

impl Hosts {
    /// Reads a list: one `host:port` a line. What follows a `#` is a remark.
    ///
    /// ```
    /// let hosts = cluster::Hosts::read("# two machines\nred:2101\nblue:2101\n").unwrap();
    /// assert_eq!(hosts.len(), 2);
    /// assert!(cluster::Hosts::read("red\n").unwrap_err().contains("line 1"));
    /// ```
    pub fn read(text: &str) -> Result<Hosts, String> {
        let mut addresses: Vec<String> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let place = format!("line {} of the hosts", number + 1);
            let port =
                line.rsplit_once(':').filter(|(host, _)| !host.is_empty()).and_then(|(_, port)| port.parse().ok());
            if port.is_none_or(|port: u16| port == 0) {
                return Err(format!("{place} is `{line}`, and should be a host and a port, such as red:2101"));
            }
            if addresses.iter().any(|known| known == line) {
                return Err(format!("{place} names `{line}` once more: each process has a port of its own"));
            }
            addresses.push(line.to_string());
        }
        if addresses.is_empty() {
            return Err("the hosts name no process".to_string());
        }
        Ok(Hosts { addresses })
    }

    /// How many processes there are.
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Whether there are none, which a list that was read never says.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// The address of a process.
    pub fn address(&self, process: usize) -> &str {
        &self.addresses[process]
    }
}
