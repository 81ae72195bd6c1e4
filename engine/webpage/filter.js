"use strict";
(() => {
  const bar = document.querySelector(".filter");
  const rows = [...document.querySelectorAll("details.row")];
  if (!bar || rows.length === 0) return;
  const input = bar.querySelector("input"), shown = bar.querySelector("output"), toggle = bar.querySelector("button");
  const texts = rows.map(row => row.querySelector("summary").textContent.toLowerCase());
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every(word => texts[i].includes(word));
      if (!row.hidden) count++;
    });
    shown.textContent = count + " of " + rows.length;
  };
  input.addEventListener("input", apply);
  toggle.addEventListener("click", () => {
    const seen = rows.filter(row => !row.hidden);
    const open = !seen.every(row => row.open);
    seen.forEach(row => { row.open = open; });
  });
  bar.classList.add("on");
  apply();
})();
