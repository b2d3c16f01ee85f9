import { createHash } from 'node:crypto';

/**
 * Style sheet of the guest pages. It is small and loads no fonts, so that the page appears quickly on an old phone
 * with a slow connection.
 */
export const pageStyle = `
:root{color-scheme:light dark;--paper:#fffaf3;--card:#fff;--ink:#2b2230;--soft:#6f6475;--line:#e3d8cc;--edge:#8d8291;--accent:#9c2f5b;--on:#fff;--good:#e7f4ea;--goodink:#1c5a2c;--wait:#fdf1d6;--waitink:#6b4b00;--bad:#fde8e6;--badink:#8c1d14}
@media(prefers-color-scheme:dark){:root{--paper:#1b161d;--card:#262028;--ink:#f3ecf4;--soft:#b7abbd;--line:#463b49;--edge:#85788a;--accent:#f08ab4;--on:#2b0f1c;--good:#173323;--goodink:#b4e6c2;--wait:#3b2f12;--waitink:#f6d98c;--bad:#43201d;--badink:#ffc2bb}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Hebrew","Noto Sans Arabic",Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:34rem;margin:0 auto;padding:1.5rem 1rem 3rem}
img.picture{display:block;width:100%;height:auto;border-radius:1rem;margin:0 0 1.25rem}
header{text-align:center;margin-bottom:1.25rem}
header p{margin:0;color:var(--soft)}
h1{margin:.25rem 0 0;font-size:1.75rem;line-height:1.25;color:var(--accent)}
header .hosts{margin:.35rem 0 0;font-size:1.15rem;color:var(--ink)}
h2{margin:0 0 .75rem;font-size:1.25rem}
section h2,form h2{margin:1.1rem 0 .35rem;font-size:1.1rem}section h2:first-child,form h2:first-child{margin-top:0}
section p{margin:0 0 .75rem}
section,form{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.1rem;margin:0 0 1rem}
dl{margin:0}dt{color:var(--soft);font-size:.9rem}dd{margin:0 0 .75rem}
.about{white-space:pre-line;margin:0 0 .75rem}
.contact{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .9rem}.contact a{padding:.35rem 0}[dir=rtl] .contact a{text-align:right}
.agenda{list-style:none;margin:0;padding:0}.agenda li{padding:.6rem 0;border-top:1px solid var(--line)}.agenda p{margin:0}h3{margin:.9rem 0 .2rem;font-size:1rem}
.links{display:flex;flex-wrap:wrap;gap:.5rem;margin:0}section>.links:last-child{margin:0}
a{color:var(--accent)}
.links a{display:inline-block;padding:.5rem .9rem;border:1px solid var(--line);border-radius:2rem;text-decoration:none}
.note{border-radius:1rem;padding:.9rem 1.1rem;margin:0 0 1rem}
.good{background:var(--good);color:var(--goodink)}.wait{background:var(--wait);color:var(--waitink)}.bad{background:var(--bad);color:var(--badink)}
fieldset{border:0;padding:0;margin:0 0 1.1rem;min-width:0}
legend,label.over{display:block;padding:0;font-weight:600;margin:0 0 .35rem}
.choice{display:flex;gap:.6rem;align-items:center;padding:.75rem .9rem;margin:0 0 .5rem;border:1px solid var(--line);border-radius:.75rem;cursor:pointer}
.choice input,.check input{width:1.25rem;height:1.25rem;accent-color:var(--accent);flex:none;margin:0}
.check{display:inline-flex;gap:.5rem;align-items:center;min-height:2.75rem;margin-inline-end:1.25rem}
.person{padding:.8rem 0;border-top:1px solid var(--line)}.person:first-of-type{border-top:0}.person .head{display:flex;align-items:center;gap:0 1.25rem}.person .head label{margin:0}.person .head .over{margin-inline-end:auto}.person .food{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-top:.4rem}.person .food div{min-width:0}
summary{cursor:pointer;padding:.7rem 0;font-weight:600}
.numbers{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem}
.meals{display:grid;grid-template-columns:minmax(0,1fr) min(5.5rem,40%);gap:.5rem 1rem;align-items:center;margin:.6rem 0 1rem}
.meals input[type=number]{width:100%}.meals .problem{grid-column:1/-1;margin:0}
input[type=text],input[type=tel],input[type=email],input[type=number],select,textarea{width:100%;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:.75rem;padding:.65rem .8rem;min-height:2.9rem}
input[type=number]{width:7rem;max-width:100%}
input[type=text],textarea{unicode-bidi:plaintext}
::placeholder{color:var(--soft);opacity:1}
textarea{min-height:6rem;resize:vertical}
select{appearance:none;padding-inline-end:2.4rem;background-image:linear-gradient(45deg,transparent 50%,currentColor 50%),linear-gradient(-45deg,transparent 50%,currentColor 50%);background-size:.4rem .4rem;background-repeat:no-repeat;background-position:right 1.3rem center,right .9rem center}
select~label.over{margin-top:.8rem}
[dir=rtl] select{background-position:left .9rem center,left 1.3rem center}
@media(forced-colors:active){select{appearance:auto}}
[aria-invalid]:not(fieldset){border-color:var(--badink)}
.problem{margin:.35rem 0;color:var(--badink);font-weight:600}
.bad a{color:inherit}
form>p:first-child,section>p:first-child{margin-top:0}
.hint{margin:.3rem 0 0;color:var(--soft);font-size:.9rem}
.hint+button,.hint+.links{margin-top:.9rem}
button{width:100%;font:inherit;font-weight:600;border:0;border-radius:.9rem;padding:.9rem;background:var(--accent);color:var(--on);cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
footer{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:center;color:var(--soft);font-size:.9rem}
footer a{display:inline-flex;align-items:center;min-height:2.75rem}
.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@supports selector(:has(*)){form:has([value=declined]:checked,[value=maybe]:checked) .coming{display:none}}
`;

const hash = createHash('sha256').update(pageStyle).digest('base64');

/** Content security policy of the guest pages: own style and pictures, forms to this server, no scripts, no frames. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
