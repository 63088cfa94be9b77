/* Written by Goalkeeper: the filterable list of goals. Rows come from goals.js, as an array `goals`
   of [id, verdict, class, kind, file:line, function, what, page, block of the model where any goal has one]. Only as many rows as are looked at are in
   the document. The filter is kept in the address, so that a filtered list can be linked. */
"use strict";
(function () {
  var PAGE = 200, shown = PAGE, order = -1, backwards = false, timer = 0;
  var names = ["text", "verdict", "kind", "function", "block"], fields = {};
  var form = document.getElementById("filters"), body = document.getElementById("goals");
  var count = document.getElementById("count"), more = document.getElementById("more");
  var heads = Array.prototype.slice.call(document.querySelectorAll("th[data-column]"));
  names.forEach(function (name) { fields[name] = document.getElementById("filter-" + name); });
  Array.from(new Set(goals.map(function (g) { return g[5]; }))).sort().forEach(function (name) {
    fields.function.appendChild(new Option(name, name));
  });
  var blocks = new Set(), hasBlocks = goals.some(function (g) { return g.length > 8; });
  if (hasBlocks) goals.forEach(function (g) {
    for (var end = g[8].indexOf("/"); end > 0; end = g[8].indexOf("/", end + 1)) blocks.add(g[8].slice(0, end));
    if (g[8]) blocks.add(g[8]);
  });
  Array.from(blocks).sort().forEach(function (name) { fields.block.appendChild(new Option(name, name)); });
  document.getElementById("blocks").hidden = !hasBlocks;
  var texts = goals.map(function (g) { return (g[0] + " " + g[4] + " " + g[5] + " " + g[6]).toLowerCase(); });

  function cell(row, text, name) {
    var td = document.createElement("td");
    if (name) td.className = name;
    td.textContent = text;
    row.appendChild(td);
    return td;
  }
  function rowOf(g) {
    var row = document.createElement("tr"), link = document.createElement("a");
    var badge = document.createElement("span"), code = document.createElement("code");
    link.href = g[7] + "#g" + g[0];
    link.textContent = g[0];
    cell(row, "", "n").appendChild(link);
    badge.className = "badge " + g[2];
    badge.textContent = g[1];
    cell(row, "").appendChild(badge);
    cell(row, g[3]);
    cell(row, g[4]);
    cell(row, g[5]);
    code.textContent = g[6];
    cell(row, "").appendChild(code);
    if (hasBlocks) cell(row, g[8]);
    return row;
  }
  function matching() {
    var words = fields.text.value.toLowerCase().split(/\s+/), found = [];
    for (var i = 0; i < goals.length; i++) {
      var g = goals[i];
      if (fields.verdict.value && g[1] !== fields.verdict.value) continue;
      if (fields.kind.value && g[3] !== fields.kind.value) continue;
      if (fields.function.value && g[5] !== fields.function.value) continue;
      if (fields.block.value && (g[8] + "/").indexOf(fields.block.value + "/") !== 0) continue;
      if (words.every(function (w) { return texts[i].indexOf(w) >= 0; })) found.push(g);
    }
    if (order >= 0)
      found.sort(function (a, b) {
        var x = a[order], y = b[order], less = x < y ? -1 : x > y ? 1 : a[0] - b[0];
        return backwards ? -less : less;
      });
    return found;
  }
  function draw() {
    var found = matching(), rows = document.createDocumentFragment();
    for (var i = 0; i < found.length && i < shown; i++) rows.appendChild(rowOf(found[i]));
    body.replaceChildren(rows);
    count.textContent = found.length + " of " + goals.length + " goals" +
      (found.length > shown ? ", the first " + shown + " are listed" : "");
    more.hidden = found.length <= shown;
  }
  function remember() {
    var parts = [];
    names.forEach(function (name) {
      if (fields[name].value) parts.push(name + "=" + encodeURIComponent(fields[name].value));
    });
    try { history.replaceState(null, "", "#" + parts.join("&")); } catch (e) { /* not for files */ }
  }
  function recall() {
    location.hash.slice(1).split("&").forEach(function (part) {
      var at = part.indexOf("="), name = part.slice(0, at);
      if (at > 0 && names.indexOf(name) >= 0) {
        try { fields[name].value = decodeURIComponent(part.slice(at + 1)); } catch (e) { return; }
      }
    });
    shown = PAGE;
    draw();
  }
  names.forEach(function (name) {
    fields[name].addEventListener("input", function () {
      clearTimeout(timer);
      timer = setTimeout(function () { shown = PAGE; draw(); remember(); }, 60);
    });
  });
  heads.forEach(function (head) {
    head.querySelector("button").addEventListener("click", function () {
      var column = Number(head.dataset.column);
      backwards = order === column && !backwards;
      order = column;
      heads.forEach(function (h) { h.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", backwards ? "descending" : "ascending");
      draw();
    });
  });
  more.addEventListener("click", function () {
    var at = shown;
    shown += PAGE * 5;
    draw();
    body.children[at].querySelector("a").focus();
  });
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  form.addEventListener("reset", function () { setTimeout(function () { shown = PAGE; draw(); remember(); }, 0); });
  addEventListener("hashchange", recall);
  addEventListener("keydown", function (e) {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      e.preventDefault();
      fields.text.focus();
    }
  });
  form.hidden = false;
  recall();
})();
