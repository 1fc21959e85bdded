//! The style of the pages: light or dark as the reader has it, and narrow screens.

pub const STYLE: &str = "\
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1f2328; --soft: #5f6772; --line: #e3e6ea; --card: #f6f7f9; --link: #0b5cad;
  --yes: #1a7f4b; --no: #b3261e; --part: #8a5a00;
  --yes-back: #e3f4ea; --no-back: #fdebe9; --part-back: #fff5d9;
  --comment: #6a737d; --string: #0a6b5e; --number: #0b5cad; --keyword: #7a3e9d; --directive: #8a5a00;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #dfe3e8; --soft: #98a1ab; --line: #2c3238; --card: #1b1f24; --link: #6cb2f5;
    --yes: #5ccb8f; --no: #ff8a80; --part: #e8bd55;
    --yes-back: #16301f; --no-back: #3a1b1a; --part-back: #352b12;
    --comment: #8b949e; --string: #6fcfbd; --number: #7db8f5; --keyword: #cf9fee; --directive: #e0b25c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; color: var(--ink); background: var(--paper);
  max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 2rem;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: .2rem 0 .3rem; overflow-wrap: anywhere; }
h1.path { font-family: var(--mono); font-size: 1.25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: .85rem; font-weight: 600; margin: 0; }
p { margin: .3rem 0; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code { font-family: var(--mono); font-size: .9em; overflow-wrap: anywhere; }
.soft, footer { color: var(--soft); }
footer { margin-top: 2.5rem; font-size: .85rem; }
i { font-style: normal; }
.yes { color: var(--yes); }
.no, .zero { color: var(--no); font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .7rem; margin: 1rem 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .7rem .9rem .8rem; }
.card h3 { color: var(--soft); }
.card p { margin: 0; }
.big { font-size: 1.6rem; font-weight: 600; line-height: 1.3; white-space: nowrap; }
.big small { font-size: .6em; font-weight: 400; color: var(--soft); }
.bar { display: block; width: 100%; height: 4px; margin-top: .35rem; border-radius: 2px; }
.bar rect { fill: var(--no); opacity: .35; }
.bar .done { fill: var(--yes); opacity: 1; }
.warnings { border-left: 3px solid var(--part); background: var(--part-back); padding: .6rem 1rem; border-radius: 4px; }
.warnings h2 { margin: 0; font-size: 1rem; }
.warnings ul { margin: .2rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.note { border-left: 3px solid var(--part); padding-left: .8rem; }
.wide { overflow-x: auto; }
.tall { max-height: 24rem; overflow-y: auto; }
table { border-collapse: collapse; }
.list { width: 100%; }
.list th, .list td { padding: .35rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
.list thead th { color: var(--soft); font-size: .85rem; font-weight: 600; position: sticky; top: 0; background: var(--paper); }
.list tbody th { font-weight: 400; white-space: normal; min-width: 11rem; overflow-wrap: anywhere; }
.list th:first-child { text-align: left; padding-left: 0; }
.list tbody tr:hover { background: var(--card); }
.list b { font-weight: 600; }
.list .bar { height: 3px; }
.none { color: var(--soft); }
.legend { font-size: .85rem; line-height: 1.9; }
.key { font-family: var(--mono); padding: .1rem .45rem; border-radius: 3px; margin-left: .6rem; }
.key:first-child { margin-left: 0; }
.source { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
.source > table { font: 13px/1.5 var(--mono); width: 100%; }
.source td { padding: 0; vertical-align: top; }
.source .n, .source .c { text-align: right; white-space: nowrap; background: var(--card); user-select: none; }
.source .n { position: sticky; left: 0; min-width: 3.2rem; padding: 0 .5rem; }
.source .n a { color: var(--soft); }
.source .c { min-width: 4rem; padding: 0 .5rem; border-right: 3px solid transparent; }
.source .t { width: 100%; white-space: pre; tab-size: 4; padding: 0 1rem 0 .7rem; }
.source button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
.source button:hover { text-decoration: underline; }
.hit .c { border-right-color: var(--yes); }
.key.hit { background: var(--yes-back); }
.miss .c { color: var(--no); font-weight: 700; border-right: 3px double var(--no); }
.miss .t, .key.miss { background: var(--no-back); }
.part .c { color: var(--part); border-right: 3px dashed var(--part); }
.part .t, .key.part { background: var(--part-back); }
tr:target .n { background: var(--link); }
tr:target .n a { color: var(--paper); }
.marks { user-select: none; font-size: .8em; margin: 0 .25em; border: 1px solid var(--line); border-radius: 3px; background: var(--paper); }
.marks i { padding: 0 .25em; }
.co { color: var(--comment); }
.st, .ch { color: var(--string); }
.nu { color: var(--number); }
.kw { color: var(--keyword); }
.pp { color: var(--directive); }
.under > td { background: var(--card); border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.decision { position: sticky; left: 0; width: min(70rem, 100vw - 3rem); padding: .3rem .7rem; font: 13px/1.5 system-ui, sans-serif; }
.decision summary { cursor: pointer; }
.truth { margin: .5rem 0; background: var(--paper); }
.truth th, .truth td { padding: .2rem .7rem; border: 1px solid var(--line); text-align: center; vertical-align: bottom; }
.truth thead th { font-weight: 600; max-width: 16rem; }
.truth code { font-weight: 400; overflow-wrap: break-word; }
.truth td { font-family: var(--mono); }
.truth .result { font-weight: 700; }
.truth .why { font: inherit; text-align: left; white-space: nowrap; }
.truth .lacking th, .truth .lacking td { color: var(--no); border-style: dashed; }
.conditions { list-style: none; margin: .3rem 0; padding: 0; }
.tests { max-width: min(40rem, 90vw); max-height: 80vh; overflow: auto; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem; box-shadow: 0 8px 30px #0005; }
.tests ul { margin: .4rem 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { padding: 1rem .7rem; }
  .source .n { min-width: 2.4rem; padding: 0 .3rem; }
  .source .c { min-width: 2.6rem; padding: 0 .3rem; }
  .cards { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .5rem; }
  .card { padding: .5rem .7rem .6rem; }
  .big { font-size: 1.3rem; }
}
@media print {
  .source .n { position: static; }
  .tests { display: none; }
  .source .t { white-space: pre-wrap; }
}
";
