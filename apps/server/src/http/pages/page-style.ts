/** The style of all pages that are rendered here. Inlined, so that only fonts have to be loaded. */
export const PAGE_STYLE = `
@font-face{font-family:"Bagel Fat One";src:url(/page-fonts/bagel-fat-one.woff2) format("woff2");font-display:swap}
@font-face{font-family:Onest;font-weight:500;src:url(/page-fonts/onest-500.woff2) format("woff2");font-display:swap}
@font-face{font-family:Onest;font-weight:800;src:url(/page-fonts/onest-800.woff2) format("woff2");font-display:swap}
:root{color-scheme:dark;--bg:#0a1211;--surface:#111c1a;--raised:#182623;--line:rgba(245,242,231,.12);--text:#f5f2e7;
--muted:#bbc6c0;--yolk:#ffd93b;--edge:#b98306;--ink:#1b1503;--profit:#4fe08f;--info:#6cc0ff}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:radial-gradient(1200px 700px at 70% 0,#1c2a22,var(--bg)) fixed;color:var(--text);
font:500 16px/1.55 Onest,system-ui,sans-serif}
a{color:var(--info)}
a:focus-visible,summary:focus-visible{outline:3px solid var(--yolk);outline-offset:3px;border-radius:8px}
header,main,footer{width:min(1080px,100% - 40px);margin-inline:auto}
header{padding:28px 0 18px}
header svg{display:block;height:44px;width:auto}
h1{font:400 clamp(32px,5vw,52px)/1.1 "Bagel Fat One",system-ui,sans-serif;margin:0 0 10px}
h2{font-size:22px;font-weight:800;margin:40px 0 12px}
p{margin:0 0 14px}
.lead{color:var(--muted);font-size:18px}
.gain{color:var(--profit);font-weight:800}
.card{display:block;width:100%;height:auto;aspect-ratio:1200/630;border-radius:28px;border:1px solid var(--line);
margin:18px 0 22px;background:var(--surface);max-width:calc((100vh - 330px)*1200/630);min-width:320px}
.button{display:inline-block;padding:15px 34px;border-radius:16px;background:var(--yolk);color:var(--ink);
font:400 20px/1 "Bagel Fat One",system-ui,sans-serif;text-decoration:none;box-shadow:0 4px 0 var(--edge)}
.button:hover{background:#ffe468}
footer{padding:40px 0 28px;color:var(--muted);font-size:14px}
table{border-collapse:collapse;margin:0 0 18px;width:100%}
th,td{padding:10px 14px;border-top:1px solid var(--line);text-align:left;vertical-align:top}
th{font-weight:800;color:var(--muted)}
li{margin:0 0 8px}
td code,li code{overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:16px;background:var(--surface);margin:10px 0}
summary{display:flex;flex-wrap:wrap;gap:4px 14px;align-items:baseline;padding:12px 18px;cursor:pointer}
summary code{font-size:15px;overflow-wrap:anywhere}
summary span{color:var(--muted);font-size:14px}
details>div{padding:0 18px 16px}
.verb{font-weight:800;font-size:13px;min-width:44px;color:var(--yolk)}
h3{font-size:13px;font-weight:800;color:var(--muted);margin:14px 0 6px}
pre{margin:0;padding:14px;border-radius:12px;background:var(--bg);border:1px solid var(--line);overflow:auto;font-size:13px;
line-height:1.45}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
`;
