//! Messages of one client, as the protocol library asks for them. Nothing here waits for a stream: lines were read
//! before, and are written later.

use std::future::ready;
use std::io;
use std::sync::Arc;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::mpsc;

use crate::connection::Connection;

/// Messages from and to one client.
pub(crate) struct Pipe {
    received: mpsc::Receiver<ClientJsonRpcMessage>,
    connection: Arc<Connection>,
    /// True once the client and the server agreed on a version of the protocol.
    is_open: bool,
}

impl Pipe {
    pub(crate) fn new(received: mpsc::Receiver<ClientJsonRpcMessage>, connection: Arc<Connection>) -> Self {
        Self { received, connection, is_open: false }
    }

    /// True for a message that the library takes. Before the client is known it takes only requests, and ends the
    /// connection at anything else.
    fn accepts(&mut self, message: &ClientJsonRpcMessage) -> bool {
        if self.is_open {
            return true;
        }
        let ClientJsonRpcMessage::Request(request) = message else { return false };
        self.is_open = match &request.request {
            ClientRequest::InitializeRequest(_) => true,
            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
            // Since 2026-07-28, each request names its version.
            request => request.get_meta().protocol_version().is_some(),
        };
        true
    }
}

impl Transport<RoleServer> for Pipe {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        ready(self.connection.send(&message))
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let received = tokio::select! {
                // What was read before the end of the input is handled before it.
                biased;
                received = self.received.recv() => received,
                () = self.connection.ended() => None,
            };
            match received {
                Some(message) if self.accepts(&message) => return Some(message),
                Some(_) => {}
                None => {
                    self.connection.end();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
