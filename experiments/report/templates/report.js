'use strict';
(() => {
  const root = document.documentElement;
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  root.classList.add('js');

  // ---- light and dark
  const theme = (name) => {
    root.classList.remove('light', 'dark');
    if (name) root.classList.add(name);
    const shown = name || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    all('[data-theme]').forEach((b) => b.setAttribute('aria-pressed', b.dataset.theme === shown));
  };
  all('[data-theme]').forEach((b) => b.addEventListener('click', () => theme(b.dataset.theme)));
  theme(new URLSearchParams(location.search).get('theme') || '');

  // ---- section list follows the scroll position
  const links = all('nav a');
  const seen = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    links.forEach((a) => (a.hash === '#' + entry.target.id ? a.setAttribute('aria-current', 'true') : a.removeAttribute('aria-current')));
  }), { rootMargin: '-10% 0px -75% 0px' });
  all('section').forEach((s) => seen.observe(s));

  // ---- card table: sort, filter, search, columns, copy
  const table = one('#cards');
  if (!table) return;
  const body = one('tbody', table), rows = all('tr', body), heads = all('thead th', table), count = one('#count');
  const plain = (text) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase();
  rows.forEach((row) => {
    const page = document.getElementById('card-' + row.dataset.id);
    row.needle = plain(row.cells[0].textContent + ' ' + row.dataset.id + ' ' + (page ? one('.rule', page)?.textContent || '' : ''));
  });
  const shown = () => all('tr', body).filter((row) => !row.hidden);
  const filter = () => {
    const words = plain(one('#search').value).split(/\s+/).filter(Boolean);
    const picks = all('select[data-filter]').map((s) => [s.dataset.filter, s.value]);
    rows.forEach((row) => {
      row.hidden = !(picks.every(([key, value]) => !value || row.dataset[key] === value) && words.every((w) => row.needle.includes(w)));
    });
    count.textContent = count.dataset.text.replace('{shown}', shown().length).replace('{all}', rows.length);
  };
  one('#search').addEventListener('input', filter);
  all('select[data-filter]').forEach((s) => s.addEventListener('change', filter));
  const language = root.lang || 'en';
  heads.forEach((head, index) => one('button', head)?.addEventListener('click', () => {
    const numbers = head.classList.contains('n');
    const first = numbers ? 'descending' : 'ascending';
    const now = head.getAttribute('aria-sort');
    const order = now === first ? (first === 'ascending' ? 'descending' : 'ascending') : first;
    heads.forEach((h) => one('button', h) && h.setAttribute('aria-sort', 'none'));
    head.setAttribute('aria-sort', order);
    const key = (row) => row.cells[index].dataset.v || '';
    rows.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === '' || y === '') return (x === '') - (y === '');
      const sign = numbers || !isNaN(x) && !isNaN(y) ? x - y : x.localeCompare(y, language);
      return order === 'ascending' ? sign : -sign;
    }).forEach((row) => body.append(row));
  }));
  const off = new Set(heads.filter((h) => 'off' in h.dataset).map((h) => h.dataset.c)), hidden = one('#hidden');
  const isOff = (index) => off.has(heads[index].dataset.c);
  const column = (key, on) => {
    if (on) off.delete(key); else off.add(key);
    const places = heads.map((h, i) => i).filter(isOff).map((i) => `.js #cards tr > :nth-child(${i + 1})`);
    hidden.textContent = places.length ? places.join(', ') + ' { display: none }' : '';
  };
  all('.menu input').forEach((box) => box.addEventListener('change', () => column(box.dataset.column, box.checked)));
  if (innerWidth < 640) {
    ['suit', 'level', 'rarity', 'games'].forEach((key) => {
      const box = one(`.menu [data-column="${key}"]`);
      if (box) { box.checked = false; column(key, false); }
    });
  }
  document.addEventListener('click', (event) => {
    const menu = one('details.columns');
    if (menu?.open && !menu.contains(event.target)) menu.open = false;
  });
  const csv = () => {
    const keep = heads.map((h, i) => i).filter((i) => !isOff(i) && heads[i].dataset.c !== 'picture');
    const quote = (text) => (/[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
    const lines = shown().map((row) => keep.map((i) => quote(row.cells[i].dataset.v || '')).join(','));
    return [keep.map((i) => heads[i].dataset.c).join(','), ...lines].join('\n');
  };
  one('#copy').addEventListener('click', async (event) => {
    const button = event.currentTarget, label = button.textContent, text = csv();
    try { await navigator.clipboard.writeText(text); } catch (refused) {
      const area = Object.assign(document.createElement('textarea'), { value: text });
      document.body.append(area); area.select(); document.execCommand('copy'); area.remove();
    }
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 1400);
  });

  // ---- card pages in a drawer; the address names the card, so that it can be sent to somebody
  filter();
  const drawer = one('#drawer');
  if (!drawer) return;
  const holder = one('#drawer-body');
  let current = null, place = null;
  const putBack = () => { if (current) { place.replaceWith(current); current = place = null; } };
  const open = (id) => {
    const page = document.getElementById(id);
    if (!page || page === current) return;
    putBack();
    place = document.createComment('');
    page.replaceWith(place);
    current = page;
    holder.append(page);
    drawer.setAttribute('aria-label', one('h3', page).textContent);
    if (!drawer.open) drawer.showModal();
    drawer.scrollTop = 0;
    setTimeout(() => { drawer.scrollTop = 0; }, 40);
  };
  const shut = () => {
    if (drawer.open) drawer.close();
    putBack();
    if (location.hash.startsWith('#card-')) history.replaceState(null, '', location.pathname + location.search + '#cards-section');
  };
  const follow = () => { if (location.hash.startsWith('#card-')) open(location.hash.slice(1)); else if (drawer.open) shut(); };
  drawer.addEventListener('close', shut);
  drawer.addEventListener('click', (event) => { if (event.target === drawer) shut(); });
  one('.close', drawer).addEventListener('click', shut);
  all('[data-step]', drawer).forEach((button) => button.addEventListener('click', () => {
    const list = shown(), at = list.findIndex((row) => 'card-' + row.dataset.id === current.id);
    const next = list[(at + Number(button.dataset.step) + list.length) % list.length];
    if (next) location.replace('#card-' + next.dataset.id);
  }));
  body.addEventListener('click', (event) => {
    const row = event.target.closest('tr');
    if (row && !event.target.closest('a') && !String(getSelection())) location.hash = 'card-' + row.dataset.id;
  });
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', () => { if (drawer.open) shut(); });
  follow();
})();
