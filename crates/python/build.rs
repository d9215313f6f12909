//! On macOS a module says that symbols of Python are found when it is loaded. Elsewhere nothing has to be said.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    pyo3_build_config::add_extension_module_link_args();
}
