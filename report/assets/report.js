/* Written by Goalkeeper: the filterable list of goals. Rows come from the array `goals`:
   [id, status, kind, place, function, what]. Only as many rows as fit a page are in the document. */
"use strict";
(function () {
  var page = 500, shown = page, body = document.getElementById("goals");
  var text = document.getElementById("text"), status = document.getElementById("status");
  var kind = document.getElementById("kind"), more = document.getElementById("more");
  var count = document.getElementById("count");
  function cell(row, content, name) {
    var td = document.createElement("td");
    if (name) td.className = name;
    td.textContent = content;
    row.appendChild(td);
    return td;
  }
  function draw() {
    var words = text.value.toLowerCase(), rows = document.createDocumentFragment(), n = 0;
    for (var i = 0; i < goals.length; i++) {
      var g = goals[i];
      if (status.value && g[1] !== status.value || kind.value && g[2] !== kind.value) continue;
      if (words && (g[3] + " " + g[4] + " " + g[5]).toLowerCase().indexOf(words) < 0) continue;
      if (n++ >= shown) continue;
      var row = document.createElement("tr"), link = document.createElement("a");
      link.href = "goal/" + g[0] + ".html";
      link.textContent = g[0];
      cell(row, "", "n").appendChild(link);
      cell(row, g[1], g[1]);
      cell(row, g[2]);
      cell(row, g[3]);
      cell(row, g[4]);
      cell(row, g[5]);
      rows.appendChild(row);
    }
    body.replaceChildren(rows);
    count.textContent = n + " goals";
    more.hidden = n <= shown;
  }
  [text, status, kind].forEach(function (e) {
    e.addEventListener("input", function () { shown = page; draw(); });
  });
  more.addEventListener("click", function () { shown += page; draw(); });
  document.getElementById("filters").hidden = false;
  draw();
})();
