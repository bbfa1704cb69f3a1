//! The tree that html5ever builds, as plainly as it can be kept.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, ns, parse_document};

/// An element, a text (no name), or the document (neither).
pub(super) struct Node {
    pub(super) name: Option<QualName>,
    pub(super) text: RefCell<String>,
    pub(super) attributes: RefCell<Vec<Attribute>>,
    pub(super) children: RefCell<Vec<Rc<Node>>>,
    parent: RefCell<Option<std::rc::Weak<Node>>>,
    is_text: Cell<bool>,
}

impl Node {
    fn new(name: Option<QualName>, attributes: Vec<Attribute>) -> Rc<Self> {
        Rc::new(Self {
            name,
            text: RefCell::default(),
            attributes: RefCell::new(attributes),
            children: RefCell::default(),
            parent: RefCell::default(),
            is_text: Cell::new(false),
        })
    }

    fn of_text(text: &str) -> Rc<Self> {
        let node = Self::new(None, Vec::new());
        node.is_text.set(true);
        text.clone_into(&mut node.text.borrow_mut());
        node
    }

    pub(super) fn is_text(&self) -> bool {
        self.is_text.get()
    }

    /// The local name; empty for what is no element.
    pub(super) fn tag(&self) -> &str {
        self.name.as_ref().map_or("", |name| &name.local)
    }

    pub(super) fn is_html(&self) -> bool {
        self.name.as_ref().is_some_and(|name| name.ns == ns!(html))
    }

    /// All text inside.
    pub(super) fn inside(self: &Rc<Self>) -> String {
        let mut text = String::new();
        let mut open = vec![self.clone()];
        while let Some(node) = open.pop() {
            text.push_str(&node.text.borrow());
            open.extend(node.children.borrow().iter().rev().cloned());
        }
        text
    }

    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let attributes = self.attributes.borrow();
        attributes.iter().find(|a| &*a.name.local == name).map(|a| a.value.to_string())
    }
}

/// Parses as a browser without scripts does.
pub(super) fn parse(html: &str) -> Rc<Node> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    parse_document(Sink { document: Node::new(None, Vec::new()) }, options).one(html)
}

struct Sink {
    document: Rc<Node>,
}

fn detach(node: &Rc<Node>) {
    if let Some(parent) = node.parent.borrow_mut().take().and_then(|p| p.upgrade()) {
        parent.children.borrow_mut().retain(|child| !Rc::ptr_eq(child, node));
    }
}

fn insert(parent: &Rc<Node>, at: usize, child: NodeOrText<Rc<Node>>) {
    let mut children = parent.children.borrow_mut();
    let child = match child {
        NodeOrText::AppendText(text) => {
            if let Some(before) = at.checked_sub(1).and_then(|at| children.get(at)).filter(|n| n.is_text()) {
                before.text.borrow_mut().push_str(&text);
                return;
            }
            Node::of_text(&text)
        }
        NodeOrText::AppendNode(node) => {
            drop(children);
            detach(&node);
            children = parent.children.borrow_mut();
            node
        }
    };
    *child.parent.borrow_mut() = Some(Rc::downgrade(parent));
    let at = at.min(children.len());
    children.insert(at, child);
}

impl TreeSink for Sink {
    type Handle = Rc<Node>;
    type Output = Rc<Node>;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Rc<Node> {
        self.document
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Rc<Node> {
        self.document.clone()
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<Node>) -> ExpandedName<'a> {
        target.name.as_ref().unwrap().expanded()
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> Rc<Node> {
        Node::new(Some(name), attributes)
    }

    fn create_comment(&self, _: StrTendril) -> Rc<Node> {
        Node::new(None, Vec::new())
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Rc<Node> {
        Node::new(None, Vec::new())
    }

    fn append(&self, parent: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        let end = parent.children.borrow().len();
        insert(parent, end, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Rc<Node>,
        before: &Rc<Node>,
        child: NodeOrText<Rc<Node>>,
    ) {
        if element.parent.borrow().is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(before, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Rc<Node>) -> Rc<Node> {
        target.clone()
    }

    fn same_node(&self, one: &Rc<Node>, other: &Rc<Node>) -> bool {
        Rc::ptr_eq(one, other)
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Rc<Node>, node: NodeOrText<Rc<Node>>) {
        let parent = sibling.parent.borrow().as_ref().and_then(std::rc::Weak::upgrade).unwrap();
        if let NodeOrText::AppendNode(node) = &node {
            detach(node);
        }
        let at = parent.children.borrow().iter().position(|n| Rc::ptr_eq(n, sibling)).unwrap();
        insert(&parent, at, node);
    }

    fn add_attrs_if_missing(&self, target: &Rc<Node>, attributes: Vec<Attribute>) {
        let mut known = target.attributes.borrow_mut();
        for attribute in attributes {
            if known.iter().all(|a| a.name != attribute.name) {
                known.push(attribute);
            }
        }
    }

    fn remove_from_parent(&self, target: &Rc<Node>) {
        detach(target);
    }

    fn reparent_children(&self, node: &Rc<Node>, parent: &Rc<Node>) {
        for child in node.children.take() {
            *child.parent.borrow_mut() = Some(Rc::downgrade(parent));
            parent.children.borrow_mut().push(child);
        }
    }
}
