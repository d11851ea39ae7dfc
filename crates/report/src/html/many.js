"use strict";
for (const table of document.querySelectorAll("table.many")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const names = new Intl.Collator("en", { numeric: true });
  const sort = (column, head) => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = [...body.rows].map((row) => {
      const text = row.cells[column].textContent.trim();
      return { row, text, number: parseFloat(text) };
    });
    rows.sort((a, b) => {
      if (column === 0) return (up ? 1 : -1) * names.compare(a.text, b.text);
      if (isNaN(a.number) || isNaN(b.number)) return isNaN(a.number) - isNaN(b.number);
      return up ? a.number - b.number : b.number - a.number;
    });
    body.append(...rows.map((entry) => entry.row));
  };
  heads.forEach((head, column) => {
    if (head.dataset.sort === undefined) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(column, head));
  });
}
