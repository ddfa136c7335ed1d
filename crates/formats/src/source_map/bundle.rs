//! A source map with the text of its script: names of functions and variables.

use super::functions::{Function, Syntax};
use super::map::{Position, SourceMap};
use super::text::ScriptText;

/// Words between a function's parameters and the name that it is given: `a=async function*(`.
const BEFORE: [&str; 3] = ["async", "function", "class"];

/// A script that was made of several files, and its source map.
#[derive(Debug)]
pub struct Bundle {
    map: SourceMap,
    script: Option<Script>,
}

/// The text of a script.
#[derive(Debug)]
struct Script {
    text: ScriptText,
    /// `None` if the text cannot be followed.
    syntax: Option<Syntax>,
}

/// Words before the name of a variable that is declared.
const DECLARATIONS: [&str; 5] = ["var", "let", "const", "function", "class"];
/// The word before the parameters of a constructor.
const CONSTRUCTOR: &str = "constructor";

/// A name in the source, and its file.
type SourceName<'a> = (&'a str, &'a str);

impl Bundle {
    /// A map, and the text of its script if that is there. Without it functions have positions, but no variable has a
    /// name.
    pub fn new(map: SourceMap, text: Option<String>) -> Self {
        let script = text.and_then(ScriptText::new).map(|text| {
            let syntax = Syntax::of(text.as_str());
            Script { text, syntax }
        });
        Self { map, script }
    }

    /// The text of the script, if it is there.
    pub fn text(&self) -> Option<&str> {
        self.script.as_ref().map(|script| script.text.as_str())
    }

    /// The map.
    pub fn map(&self) -> &SourceMap {
        &self.map
    }

    /// The source of a position, and the name in the source of the function or class that begins there.
    pub fn location(&self, line: u32, column: u32) -> Option<(Position<'_>, Option<&str>)> {
        let position = self.map.position(line, column)?;
        Some((position, self.function_name(line, column)))
    }

    /// Name in the source of the function or class at a position: of the word before it, `cart` of `cart(`,
    /// `function cart(`, `cart=(`, or after it, `class Cart`.
    fn function_name(&self, line: u32, column: u32) -> Option<&str> {
        let script = self.script.as_ref()?;
        let text = &script.text;
        let mut at = text.offset(line, column)?;
        // Engines have the position of a class at its constructor.
        if text.as_str().get(..at)?.trim_end().strip_suffix(CONSTRUCTOR).is_some_and(|text| !text.ends_with(is_part)) {
            at = script.syntax.as_ref()?.class_around(u32::try_from(at).ok()?)? as usize;
        }
        let (mut before, after) = text.as_str().split_at_checked(at)?;
        let class = after.strip_prefix("class").filter(|rest| rest.starts_with([' ', '\n', '\t']));
        if let Some(name) =
            class.map(str::trim_start).filter(|name| !name.starts_with('{') && !is_word(name, "extends"))
        {
            return self.name_at(text.as_str().len() - name.len());
        }
        loop {
            before = before.trim_end().trim_end_matches('*').trim_end();
            let end = before.trim_end_matches(is_part);
            let word = before.get(end.len()..)?;
            if !BEFORE.contains(&word) && !word.is_empty() {
                return self.name_at(end.len());
            }
            // An assignment, but no comparison or arrow.
            let assigned =
                end.strip_suffix('=').filter(|left| !left.ends_with(['=', '!', '<', '>', '+', '|', '&', '?']));
            before = match (word.is_empty(), assigned) {
                (true, Some(left)) => left.trim_end(),
                (true, None) => return None,
                (false, _) => end,
            };
            if word.is_empty() && !before.ends_with(is_part) {
                return None;
            }
        }
    }

    /// Name in the source of the word that begins at a byte of the text.
    fn name_at(&self, at: usize) -> Option<&str> {
        let (line, column) = self.script.as_ref()?.text.position(at)?;
        self.map.beginning(line, column)?.name
    }

    /// Names in the source of captured variables of one scope, each with its file. `inside` is the position of a function
    /// that sees them; without it a variable has a name if the whole script has one for it.
    ///
    /// The scope is the innermost one around that function that names at least three quarters of them, and each is used in
    /// a function inside of it: else it would not be captured. Where that leaves several names, there is none.
    pub fn variables<'a>(&'a self, inside: Option<(u32, u32)>, variables: &[&'a str]) -> Vec<Option<SourceName<'a>>> {
        let names = || {
            let script = self.script.as_ref()?;
            let uses = Uses { map: &self.map, script, syntax: script.syntax.as_ref()? };
            match inside {
                Some((line, column)) => uses.of_scope(script.text.offset(line, column)?, variables),
                None => Some(variables.iter().map(|variable| only(uses.names(uses.of(variable)))).collect()),
            }
        };
        names().unwrap_or_else(|| vec![None; variables.len()])
    }
}

/// A place in the script that names a variable, and the function around it.
#[derive(Clone, Copy)]
struct Use {
    at: u32,
    function: u32,
}

/// Where a script names variables.
struct Uses<'a> {
    map: &'a SourceMap,
    script: &'a Script,
    syntax: &'a Syntax,
}

impl<'a> Uses<'a> {
    fn of_scope(&self, at: usize, variables: &[&'a str]) -> Option<Vec<Option<SourceName<'a>>>> {
        let uses: Vec<Vec<Use>> = variables.iter().map(|variable| self.of(variable).collect()).collect();
        // Some are no variables of the source, such as the `require` of a module.
        let counted = uses.iter().filter(|uses| self.names(uses.iter().copied()).next().is_some()).count();
        let at = u32::try_from(at).ok()?;
        let mut scope = self.syntax.around(at);
        // What a function declares itself is not what it captures.
        if let Some(function) = self.syntax.function(scope).filter(|function| function.start == at) {
            scope = function.parent;
        }
        loop {
            let is_here = |uses: &&Vec<Use>| {
                let mut here = uses.iter().copied().filter(|one| one.function == scope);
                here.next().is_some() && self.names(uses.iter().copied()).next().is_some()
            };
            let here = uses.iter().filter(is_here).count();
            if here > 0 && here * 4 >= counted * 3 {
                return Some(uses.iter().map(|uses| self.captured(uses, scope)).collect());
            }
            scope = self.syntax.function(scope)?.parent;
        }
    }

    fn of(&self, variable: &'a str) -> impl Iterator<Item = Use> {
        let uses = self.syntax.uses(self.script.text.as_str(), variable);
        uses.map(|at| Use { at, function: self.syntax.around(at) })
    }

    /// Names in the source of those that have one.
    fn names(&self, uses: impl Iterator<Item = Use>) -> impl Iterator<Item = SourceName<'a>> {
        let (map, text) = (self.map, &self.script.text);
        uses.filter_map(move |one| {
            let (line, column) = text.position(one.at as usize)?;
            let at = map.beginning(line, column)?;
            Some((at.name?, at.source))
        })
    }

    /// The name of a variable of a scope, if it is the only one there, and a function inside captures it. Its file is that
    /// of its declaration: other files may use it.
    fn captured(&self, uses: &[Use], scope: u32) -> Option<SourceName<'a>> {
        let function: Option<Function> = self.syntax.function(scope);
        let is_inside = |one: &Use| {
            one.function != scope && function.is_none_or(|function| (function.start..function.end).contains(&one.at))
        };
        let here = || uses.iter().copied().filter(|one| one.function == scope);
        let name = only(self.names(here()).map(|(name, _)| name))?;
        self.names(uses.iter().copied().filter(is_inside)).find(|(other, _)| *other == name)?;
        let files = |uses: &mut dyn Iterator<Item = Use>| only(self.names(uses).map(|(_, file)| file));
        let file = files(&mut here().filter(|one| self.is_declaration(one.at))).or_else(|| files(&mut here()))?;
        Some((name, file))
    }

    /// True if a variable is declared or assigned at a byte: `var a`, `function a`, `a=`.
    fn is_declaration(&self, at: u32) -> bool {
        let text = self.script.text.as_str();
        let Some((before, after)) = text.split_at_checked(at as usize) else { return false };
        let after = after.trim_start_matches(is_part).trim_start();
        let before = before.trim_end();
        let is_assigned = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
        is_assigned || DECLARATIONS.iter().any(|word| before.ends_with(word))
    }
}

/// The name if all are the same.
fn only<T: PartialEq>(mut names: impl Iterator<Item = T>) -> Option<T> {
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}

/// True of characters of a word.
fn is_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script and map of a text with marked names.
    fn bundle(marked: &str) -> Bundle {
        let written = heaplens_testkit::bundle::Bundle::of(marked, "desk.ts");
        Bundle::new(SourceMap::read(written.map.as_bytes(), "/srv/a.js").expect("a map"), Some(written.script))
    }

    /// Source name of a variable for the function whose parameters begin at `«from»` in the text.
    fn variable(bundle: &Bundle, from: &str, names: &[&str]) -> Vec<String> {
        let script = bundle.script.as_ref().expect("a text");
        let at = script.text.as_str().find(from).expect("it is there");
        let position = script.text.position(at);
        let name = |name: Option<SourceName<'_>>| name.map_or_else(|| "-".to_owned(), |(name, _)| name.to_owned());
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        bundle.variables(position, &names).into_iter().map(name).collect()
    }

    #[test]
    fn a_variable_has_the_name_of_its_scope() {
        let bundle = bundle(
            "var «e:carts»=new Map;function «t:cartOf»(«r:token»){return «e:carts».get(«r:token»)}\
             function «n:other»(«e:request»){return(«i:k»)=>«e:request».url}\
             function «o:quiet»(«e:local»){setTimeout(()=>{f()})}",
        );
        assert_eq!(variable(&bundle, "(r){", &["e"]), ["carts"]);
        assert_eq!(variable(&bundle, "(i)=>", &["e"]), ["request"], "a parameter of the function around");
        assert_eq!(variable(&bundle, "()=>{", &["e"]), ["-"], "a variable that is not captured hides it: unclear");
        assert_eq!(variable(&bundle, "(e){return", &["e"]), ["carts"], "a function does not capture its own parameter");
        assert_eq!(variable(&bundle, "(r){", &["e", "t"]), ["carts", "-"]);
        assert_eq!(variable(&bundle, "(r){", &["missing"]), ["-"]);
        let anywhere = bundle.variables(None, &["r", "e"]);
        assert_eq!(anywhere, [Some(("token", "/srv/desk.ts")), None], "the whole script has several for the second");
    }

    #[test]
    fn other_variables_of_a_scope_tell_which_it_is() {
        let bundle = bundle(
            "function «a:make»(){let «e:rows»=[],«t:log»=[];return ()=>{let «e:inner»=0;\
             each((«n:x»)=>{«t:log».push(«e:inner»)});return (x)=>«e:rows»}}",
        );
        assert_eq!(variable(&bundle, "(n)=>", &["e"]), ["inner"]);
        assert_eq!(variable(&bundle, "(n)=>", &["t"]), ["log"]);
        assert_eq!(variable(&bundle, "(n)=>", &["e", "t"]), ["rows", "log"], "only there both are");
    }

    #[test]
    fn functions_and_classes_have_source_names() {
        let bundle = bundle(
            "class «w:Crate»extends f({}){constructor(y){}}function «a:load»(e){}var «b:save»=async function*(e,f){},«c:each»=g=>1,«d:Cart»=class{constructor(h){}};\
             class «i:Desk» extends X{m(j){}}x=={k(l){}};let o={p:(q)=>2};«r:s».«t:u»=(v)=>3",
        );
        let name = |from: &str| {
            let text = &bundle.script.as_ref().expect("a text").text;
            let (line, column) = text.position(text.as_str().find(from).expect("it is there")).expect("a position");
            bundle.location(line, column).and_then(|(_, name)| name.map(str::to_owned))
        };
        for (from, expected) in [
            ("(e){}var", Some("load")),
            ("(e,f)", Some("save")),
            ("g=>1", Some("each")),
            ("class{", Some("Cart")),
            ("(y)", Some("Crate")),
            ("class i", Some("Desk")),
            ("(j)", None),
            ("(l)", None),
            ("(q)", None),
            ("(v)", Some("u")),
        ] {
            assert_eq!(name(from).as_deref(), expected, "{from}");
        }
    }

    #[test]
    fn texts_and_patterns_are_no_code() {
        let bundle = bundle(
            "#!/usr/bin/env node\nvar «e:carts»=[],s='e}{(',p=/[/}]e\\/(/g,t=`e}${(()=>`${e2}`)()}{`,d=a/2/b;// e }\n\
             /* e { */if(d){/}/.test(s)}for(;;){}x++/1;\nfunction f(a){return «e:carts»[{e:1}.e]}async e=>{}",
        );
        assert_eq!(variable(&bundle, "(a){", &["e"]), ["carts"]);
        let script = bundle.script.as_ref().expect("a text");
        let syntax = script.syntax.as_ref().expect("it can be followed");
        let text = script.text.as_str();
        assert_eq!(syntax.uses(text, "e").count(), 3, "declared, used, and a parameter");
        for broken in ["(", "}", "'", "`${", "f(]", "/*"] {
            assert!(Syntax::of(broken).is_none(), "{broken}");
        }
        for (end, _) in text.char_indices() {
            let part = text.get(..end).map(str::to_owned);
            let bundle = Bundle::new(SourceMap::default(), part);
            bundle.variables(Some((0, end as u32)), &["e"]);
            bundle.location(1, end as u32);
        }
    }
}
