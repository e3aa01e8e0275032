/** Near Grafana's dark theme. */
export const STYLE = `
* { box-sizing: border-box; margin: 0; padding: 0; }
body { background: #111217; color: #ccccdc; font: 13px Inter, 'Liberation Sans', Arial, sans-serif; }
header { padding: 12px 16px 4px; position: relative; }
h1 { font-size: 18px; font-weight: 500; display: inline; margin-right: 12px; }
header span, header small, section p { color: #9a9aa8; }
header small { position: absolute; right: 16px; top: 16px; font-size: 12px; }
nav { margin: 10px 0 0; display: flex; gap: 8px; }
nav b { background: #181b1f; border: 1px solid #34363c; border-radius: 2px; padding: 5px 10px; font-weight: 400; }
nav b:nth-last-child(2) { margin-left: auto; }
nav i { color: #6e9fff; font-style: normal; margin-right: 10px; }
main { position: relative; }
h2, section { position: absolute; }
h2 { font-size: 15px; font-weight: 500; line-height: 30px; padding-left: 4px; }
h2 span { margin-right: 8px; }
section { background: #181b1f; border: 1px solid #25272c; border-radius: 2px; padding: 0 8px; overflow: hidden; }
h3 { font-size: 14px; font-weight: 500; line-height: 28px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
section p { font-size: 11px; line-height: 14px; max-height: 28px; overflow: hidden; }
.content { position: absolute; inset: 60px 8px 7px; overflow: hidden; }
.stat .content { display: grid; place-items: center; }
.figure { font-size: 38px; font-weight: 500; white-space: nowrap; }
.nothing, .error { display: grid; place-items: center; height: 100%; color: #9a9aa8; font-size: 16px; }
.stat .nothing { font-size: 38px; }
.error { color: #f2495c; font-size: 12px; }
svg { display: block; overflow: visible; flex: none; }
svg text { fill: #9a9aa8; font-size: 11px; }
.cover { fill: #181b1f; }
.grid { stroke: #2a2c33; fill: none; }
.happening { stroke-dasharray: 3 3; fill: none; }
.threshold { stroke-dasharray: 6 5; fill: none; }
table { border-collapse: collapse; width: 100%; }
.timeseries .content { display: flex; flex-wrap: wrap; align-items: flex-start; }
.legend { table-layout: fixed; font-size: 12px; }
.legend th, .legend td { height: 22px; text-align: right; width: 80px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.legend th:first-child, .legend td:first-child { text-align: left; width: auto; }
.legend th, .data th { color: #6e9fff; font-weight: 500; }
.legend th b { color: #ff9830; font-weight: 500; margin-left: 8px; }
.legend i, .list i { display: inline-block; width: 14px; height: 4px; border-radius: 2px; margin: 0 8px 3px 2px; }
.list { font-size: 12px; line-height: 22px; }
.list span { margin-right: 10px; white-space: nowrap; }
.data th, .data td { height: 28px; text-align: left; padding: 0 8px; border: 1px solid #25272c; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.data .link { color: #6e9fff; }
.data .number { text-align: right; font-variant-numeric: tabular-nums; }
`;
