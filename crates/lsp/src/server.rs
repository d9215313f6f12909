//! The language server: the protocol on one side, documents on the other.
//!
//! Everything is answered in the order in which it comes. A file is read anew with every change, which takes a millisecond.

use std::collections::HashMap;

use lsp_server::{Connection, ErrorCode, ExtractError, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    Completion, Formatting, GotoDefinition, HoverRequest, PrepareRenameRequest, References, Rename, Request as _,
};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionOptions, CompletionResponse, DiagnosticRelatedInformation,
    DiagnosticSeverity, GotoDefinitionResponse, Hover, HoverContents, HoverProviderCapability, InitializeResult,
    Location, MarkupContent, MarkupKind, OneOf, Position, PrepareRenameResponse, PublishDiagnosticsParams, Range,
    RenameOptions, ServerCapabilities, ServerInfo, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextEdit, Uri, WorkspaceEdit,
};
use perfectplay::language::Diagnostic;

use crate::document::Document;
use crate::format::format;
use crate::names::Kind;
use crate::place::{byte, position, range};

/// Why a server ended early.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Serves an editor on standard input and output, until it says goodbye.
pub fn serve() -> Result<(), Error> {
    let (connection, threads) = Connection::stdio();
    run(&connection)?;
    // The threads end when nobody can write to them any more.
    drop(connection);
    threads.join()?;
    Ok(())
}

/// Serves an editor over a connection.
pub fn run(connection: &Connection) -> Result<(), Error> {
    let (id, _) = connection.initialize_start()?;
    let server_info =
        Some(ServerInfo { name: "perfectplay".to_string(), version: Some(env!("CARGO_PKG_VERSION").to_string()) });
    let started = InitializeResult { capabilities: capabilities(), server_info };
    connection.sender.send(Response::new_ok(id, started).into())?;
    match connection.receiver.recv()? {
        Message::Notification(note) if note.method == "initialized" => {}
        other => return Err(format!("expected `initialized`, got {other:?}").into()),
    }
    let mut server = Server { connection, documents: HashMap::new() };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                let response = server.answer(request);
                connection.sender.send(response.into())?;
            }
            Message::Notification(note) => server.notice(note)?,
            Message::Response(_) => {}
        }
    }
    Ok(())
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions::default()),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        document_formatting_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

/// The open files.
struct Server<'c> {
    connection: &'c Connection,
    documents: HashMap<String, Document>,
}

/// A request that cannot be answered.
struct Refused(ErrorCode, String);

impl Server<'_> {
    fn notice(&mut self, note: Notification) -> Result<(), Error> {
        // What cannot be read is left alone: an editor may know more than we do.
        match note.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Ok(opened) = note.extract::<lsp_types::DidOpenTextDocumentParams>(DidOpenTextDocument::METHOD) {
                    let uri = opened.text_document.uri;
                    self.read(&uri, opened.text_document.text)?;
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Ok(changed) =
                    note.extract::<lsp_types::DidChangeTextDocumentParams>(DidChangeTextDocument::METHOD)
                {
                    let uri = changed.text_document.uri;
                    let Some(document) = self.documents.remove(uri.as_str()) else { return Ok(()) };
                    let mut text = document.text;
                    for change in changed.content_changes {
                        text = match change.range {
                            None => change.text,
                            Some(range) => edited(&text, range, &change.text),
                        };
                    }
                    self.read(&uri, text)?;
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Ok(closed) = note.extract::<lsp_types::DidCloseTextDocumentParams>(DidCloseTextDocument::METHOD)
                {
                    let uri = closed.text_document.uri;
                    self.documents.remove(uri.as_str());
                    self.publish(uri, Vec::new())?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a file anew, and tells what is wrong with it.
    fn read(&mut self, uri: &Uri, text: String) -> Result<(), Error> {
        let document = Document::new(text);
        let shown = document.mistakes.iter().map(|mistake| shown(mistake, &document.text, uri)).collect();
        self.documents.insert(uri.as_str().to_string(), document);
        self.publish(uri.clone(), shown)
    }

    fn publish(&self, uri: Uri, diagnostics: Vec<lsp_types::Diagnostic>) -> Result<(), Error> {
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        let note = Notification::new(PublishDiagnostics::METHOD.to_string(), params);
        self.connection.sender.send(note.into())?;
        Ok(())
    }

    fn answer(&self, request: Request) -> Response {
        let id = request.id.clone();
        match request.method.as_str() {
            HoverRequest::METHOD => {
                answered::<HoverRequest>(id, request, |params| self.hover(&params.text_document_position_params))
            }
            Completion::METHOD => {
                answered::<Completion>(id, request, |params| self.completion(&params.text_document_position))
            }
            GotoDefinition::METHOD => {
                answered::<GotoDefinition>(id, request, |params| self.definition(params.text_document_position_params))
            }
            References::METHOD => {
                answered::<References>(id, request, |params| self.references(params.text_document_position))
            }
            PrepareRenameRequest::METHOD => {
                answered::<PrepareRenameRequest>(id, request, |params| self.prepared(&params))
            }
            Rename::METHOD => {
                answered::<Rename>(id, request, |params| self.renamed(params.text_document_position, &params.new_name))
            }
            Formatting::METHOD => {
                answered::<Formatting>(id, request, |params| self.formatted(&params.text_document.uri))
            }
            other => Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("`{other}` is not known here")),
        }
    }

    fn document(&self, uri: &Uri) -> Result<&Document, Refused> {
        let unknown = || Refused(ErrorCode::InvalidParams, format!("{} is not open", uri.as_str()));
        self.documents.get(uri.as_str()).ok_or_else(unknown)
    }

    /// The file, and the byte that is asked about.
    fn place(&self, params: &TextDocumentPositionParams) -> Result<(&Document, usize), Refused> {
        let document = self.document(&params.text_document.uri)?;
        Ok((document, byte(&document.text, params.position)))
    }

    fn hover(&self, params: &TextDocumentPositionParams) -> Result<Option<Hover>, Refused> {
        let (document, at) = self.place(params)?;
        Ok(document.hover(at).map(|(span, value)| Hover {
            contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
            range: Some(range(&document.text, span)),
        }))
    }

    fn completion(&self, params: &TextDocumentPositionParams) -> Result<Option<CompletionResponse>, Refused> {
        let (document, at) = self.place(params)?;
        let item = |found: crate::document::Suggestion| CompletionItem {
            label: found.word,
            kind: Some(match (found.kind, found.is_function) {
                (Some(Kind::Constant), _) => CompletionItemKind::CONSTANT,
                (_, true) => CompletionItemKind::FUNCTION,
                (Some(_), _) => CompletionItemKind::VARIABLE,
                (None, _) => CompletionItemKind::KEYWORD,
            }),
            detail: Some(found.what),
            ..CompletionItem::default()
        };
        Ok(Some(CompletionResponse::Array(document.suggestions(at).into_iter().map(item).collect())))
    }

    fn definition(&self, params: TextDocumentPositionParams) -> Result<Option<GotoDefinitionResponse>, Refused> {
        let (document, at) = self.place(&params)?;
        let found = document.definition(at).map(|span| range(&document.text, span));
        Ok(found.map(|range| GotoDefinitionResponse::Scalar(Location { uri: params.text_document.uri, range })))
    }

    fn references(&self, params: TextDocumentPositionParams) -> Result<Option<Vec<Location>>, Refused> {
        let (document, at) = self.place(&params)?;
        let uri = &params.text_document.uri;
        let locations = document.uses(at).into_iter();
        Ok(Some(locations.map(|span| Location { uri: uri.clone(), range: range(&document.text, span) }).collect()))
    }

    fn prepared(&self, params: &TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>, Refused> {
        let (document, at) = self.place(params)?;
        let here = document.uses(at).into_iter().find(|span| span.range().contains(&at) || span.range().end == at);
        Ok(here.map(|span| PrepareRenameResponse::Range(range(&document.text, span))))
    }

    #[allow(clippy::mutable_key_type)] // The protocol's own map.
    fn renamed(&self, params: TextDocumentPositionParams, new: &str) -> Result<Option<WorkspaceEdit>, Refused> {
        let (document, at) = self.place(&params)?;
        let places = document.rename(at, new).map_err(|why| Refused(ErrorCode::RequestFailed, why))?;
        let edit = |span| TextEdit { range: range(&document.text, span), new_text: new.to_string() };
        let edits = places.into_iter().map(edit).collect();
        Ok(Some(WorkspaceEdit {
            changes: Some(HashMap::from([(params.text_document.uri, edits)])),
            ..WorkspaceEdit::default()
        }))
    }

    fn formatted(&self, uri: &Uri) -> Result<Option<Vec<TextEdit>>, Refused> {
        let document = self.document(uri)?;
        let whole = Range { start: Position::default(), end: position(&document.text, document.text.len()) };
        // What cannot be read is not formatted, and its mistakes are shown already.
        Ok(format(&document.text).ok().map(|new_text| match new_text == document.text {
            true => Vec::new(),
            false => vec![TextEdit { range: whole, new_text }],
        }))
    }
}

/// Reads the parameters of a request, and answers it.
fn answered<R: lsp_types::request::Request>(
    id: RequestId,
    request: Request,
    answer: impl FnOnce(R::Params) -> Result<R::Result, Refused>,
) -> Response {
    match request.extract::<R::Params>(R::METHOD) {
        Ok((_, params)) => match answer(params) {
            Ok(result) => Response::new_ok(id, result),
            Err(Refused(code, message)) => Response::new_err(id, code as i32, message),
        },
        Err(ExtractError::JsonError { error, .. }) => {
            Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string())
        }
        Err(ExtractError::MethodMismatch(_)) => Response::new_err(id, ErrorCode::MethodNotFound as i32, String::new()),
    }
}

/// A text with a range replaced.
fn edited(text: &str, range: Range, new: &str) -> String {
    let (start, end) = (byte(text, range.start), byte(text, range.end));
    format!("{}{new}{}", &text[..start], &text[end.max(start)..])
}

/// A mistake as the protocol shows it.
fn shown(mistake: &Diagnostic, text: &str, uri: &Uri) -> lsp_types::Diagnostic {
    let (place, label) = match &mistake.label {
        Some((span, label)) => (range(text, *span), label.as_str()),
        None => (Range::default(), ""),
    };
    let mut message = mistake.title.clone();
    if !label.is_empty() {
        message.push_str(&format!(" ({label})"));
    }
    mistake.notes.iter().for_each(|note| message.push_str(&format!("\n{note}")));
    mistake.help.iter().for_each(|help| message.push_str(&format!("\nHelp: {help}")));
    let related = mistake.related.iter().map(|(span, text_of)| DiagnosticRelatedInformation {
        location: Location { uri: uri.clone(), range: range(text, *span) },
        message: text_of.clone(),
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    lsp_types::Diagnostic {
        range: place,
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("perfectplay".to_string()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    }
}
