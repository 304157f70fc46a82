import { markup } from './markup.ts';

/** The one style sheet of the page. Its hash stands in the page's policy. */
export const pageStyle = markup`
body{font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:56rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;border-bottom:1px solid #ccc;margin-top:2rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}dt{color:#555}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
code{font:13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
.said{margin:.75rem 0;padding:.5rem .75rem;border-radius:.5rem;max-width:80%}.said p{margin:.2rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}
.user{background:#eef3fb;margin-left:auto}.agent{background:#f3f3f0}time{color:#555;font-size:.85rem}
.good p{color:#0a6b2d}.bad p,.bad li{color:#a40000;font-weight:600}footer{margin:2rem 0;color:#555}
@media print{body{margin:0;max-width:none;font-size:11pt}section,.said,tr{break-inside:avoid}h2{break-after:avoid}.said{border:1px solid #bbb}}
`;
