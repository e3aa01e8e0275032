/** Served to the page as `/mailbox.css`. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
article { border: 1px solid #8886; border-radius: 6px; margin: 1rem 0; padding: 0 1rem 1rem; }
h2 { font-size: 1.1rem; overflow-wrap: anywhere; }
dl { display: grid; gap: 0.2rem 1rem; grid-template-columns: max-content 1fr; margin: 0; }
dt { opacity: 0.7; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { background: #fff; border: 1px solid #8886; height: 20rem; width: 100%; }
button[aria-pressed="true"] { font-weight: bold; outline: 2px solid; }
`;

/** Served to the page as `/mailbox.js`: its buttons, and a reload whenever something changed. */
export const PAGE_SCRIPT = `
const shown = document.body.dataset.revision;
const json = { 'content-type': 'application/json' };
async function refresh() {
  try {
    const response = await fetch('/revision');
    if ((await response.json()).revision !== shown) location.reload();
  } catch {
    // The mailbox is not running at present.
  }
}
for (const button of document.querySelectorAll('[data-mode]')) {
  button.addEventListener('click', async () => {
    const body = JSON.stringify({ mode: button.dataset.mode });
    await fetch('/failure', { method: 'PUT', headers: json, body });
    await refresh();
  });
}
document.querySelector('[data-clear]').addEventListener('click', async () => {
  await fetch('/messages', { method: 'DELETE' });
  await refresh();
});
setInterval(refresh, 2000);
`;
