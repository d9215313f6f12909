//! The example files for ssh, Slurm and Kubernetes can be read by those who will run them.

use std::process::Command;

use testkit::files::workspace;

fn file(name: &str) -> std::path::PathBuf {
    workspace("docs/deploy").join(name)
}

#[test]
fn scripts_are_read_by_their_shell() {
    for name in ["ssh.sh", "slurm.sh"] {
        let Ok(read) = Command::new("bash").arg("-n").arg(file(name)).output() else { return };
        assert!(read.status.success(), "{name}: {}", String::from_utf8_lossy(&read.stderr));
    }
}

/// What a pod runs is a script within a file: both are read.
#[test]
fn pods_are_read_by_a_parser() {
    let script = "import sys, yaml\n\
                  documents = list(yaml.safe_load_all(open(sys.argv[1])))\n\
                  kinds = [document['kind'] for document in documents]\n\
                  assert kinds == ['Service', 'ConfigMap', 'StatefulSet'], kinds\n\
                  pods = documents[2]['spec']\n\
                  hosts = documents[1]['data']['hosts'].split()\n\
                  assert len(hosts) == pods['replicas'], hosts\n\
                  print(pods['template']['spec']['containers'][0]['args'][0])";
    let has_yaml = Command::new("python3").args(["-c", "import yaml"]).output().is_ok_and(|ran| ran.status.success());
    if !has_yaml {
        return;
    }
    let read = Command::new("python3").arg("-c").arg(script).arg(file("kubernetes.yaml")).output().unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let pod = std::env::temp_dir().join(format!("perfectplay-pod-{}.sh", std::process::id()));
    std::fs::write(&pod, &read.stdout).unwrap();
    let shell = Command::new("bash").arg("-n").arg(&pod).output();
    let _ = std::fs::remove_file(&pod);
    if let Ok(shell) = shell {
        assert!(shell.status.success(), "{}", String::from_utf8_lossy(&shell.stderr));
    }
}
