'use strict';
(() => {
  const root = document.documentElement, SVG = 'http://www.w3.org/2000/svg', TILE = 120, STEP = 124;
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  root.classList.add('js');
  const data = JSON.parse(one('#data').textContent), steps = data.steps, count = steps.length, words = data.words;
  const minus = (value) => String(value).replace('-', '\u2212');
  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const draw = (tag, attributes, text) => {
    const made = document.createElementNS(SVG, tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // ---- the picture of every step, from what each one changes
  const pictures = [];
  steps.reduce((picture, step) => {
    const next = { ...picture, ...step.change };
    pictures.push(next);
    return next;
  }, {});
  let known = null;
  const chances = steps.map((step) => { known = step.chance ?? known; return known; });
  const seatOf = (name) => ({ a: 'A', b: 'B' }[name[0].toLowerCase()] || 'none');
  const heroes = data.heroes.map((hero) => hero.name);
  let at = 0, view = data.view, timer = 0;

  // ---- what the chosen seat may know (ARENA A8); a file made for one seat holds nothing else
  const mine = (name) => view === 'all' || data.view !== 'all' || seatOf(name) === view;
  const secret = (card, zone) => zone === 'hand' ? !(card && card.revealed) : Boolean(card && card.face_down);
  const seen = (name, zone, cards) => {
    if (mine(name)) return cards;
    // until all have mustered, what the other side chose counts as its hand (A3.7)
    return cards.map((card) => (secret(card, zone) ? null : card));
  };
  const lines = all('#log li');
  const toldOf = (line) => {
    const spans = all('[data-told]', line);
    if (!spans.length || view === 'all') return spans[0] || line.firstElementChild;
    return spans.find((span) => span.dataset.told === view) || ((line.dataset.silent || '').includes(view) ? null : spans[0]);
  };
  const audible = (index) => toldOf(lines[index]) !== null;

  // ---- pieces of the page
  const chip = (card, name) => {
    if (card === null) return element('span', { className: 'chip hidden', title: words.hidden });
    const id = typeof card === 'string' ? card : card.card, facts = data.cards[id], extra = typeof card === 'string' ? {} : card;
    const made = element('span', { className: 'chip', title: facts.lines.join('\n') });
    const icon = draw('svg', { class: 'ic suit', 'aria-hidden': 'true' });
    icon.append(draw('use', { href: '#s-' + facts.suit }));
    made.append(icon, facts.name);
    const notes = [];
    if (extra.exhausted) { made.classList.add('exhausted'); notes.push(words.exhausted); }
    if (extra.face_down) { made.classList.add('asleep'); notes.push(words.asleep); }
    Object.entries(extra.counters || {}).forEach(([counter, n]) => notes.push(`${counter} ${n}`));
    if (notes.length) made.append(element('small', { textContent: notes.join(', ') }));
    if (id === steps[at].card && steps[at].seat === seatOf(name)) made.classList.add('acting');
    const under = (extra.attachments || []).map((attached) => chip(attached, name));
    return under.length ? element('span', { className: 'chips' }, made, ...under) : made;
  };
  const seat = (name, picture) => {
    const panel = document.getElementById('seat-' + name), put = (key, value) => { one(`[data-x=${key}]`, panel).textContent = value; };
    panel.classList.toggle('turn', picture.turn === name || Boolean(picture.turn) && picture[picture.turn + '.owner'] === name);
    const hp = picture[name + '.hp'], most = picture[name + '.max'];
    put('hp', minus(hp));
    put('max', most);
    one('[data-x=bar]', panel).style.width = Math.max(0, Math.min(100, 100 * hp / most)) + '%';
    const points = one('[data-x=ap]', panel), ap = picture[name + '.ap'], debt = picture[name + '.debt'];
    points.replaceChildren(element('b', { textContent: ap }), element('span', { textContent: words.ap }));
    for (let k = 0; k < Math.min(ap, 12); k += 1) points.append(element('i', { className: 'full' }));
    if (debt) points.append(element('span', { className: 'debt', textContent: `${words.debt} ${debt}` }));
    (picture[name + '.markers'] || []).forEach((marker) => points.append(element('span', { className: 'chip', textContent: marker })));
    data.zones.forEach((zone) => {
      let cards = picture[`${name}.${zone}`] || [];
      if (!mine(name) && steps[at].stint < 1) {
        const veiled = (picture[name + '.table'] || []).filter((card) => card && card.face_down);
        if (zone === 'hand') cards = [...cards, ...veiled.map(() => '')];
        if (zone === 'table') cards = cards.filter((card) => !(card && card.face_down));
      }
      const box = one(`[data-zone=${zone}]`, panel);
      box.hidden = !cards.length && !data.open.includes(zone);
      one('.chips', box).replaceChildren(...(cards.length ? seen(name, zone, cards).map((card) => chip(card || null, name)) : ['–']));
      one('[data-x=count]', box).textContent = zone === 'hand' ? `${cards.length} · ${words.deck} ${picture[name + '.deck']}` : '';
    });
  };
  const place = ([x, y]) => [x * STEP + TILE / 2, (data.board.height - 1 - y) * STEP + TILE / 2 - 4];
  const piece = (name, picture) => {
    const spot = picture[name + '.at'], hero = heroes.includes(name), alive = picture[name + '.alive'];
    if (!spot || !hero && !alive || !hero && !mine(name) && steps[at].stint < 1) return null;
    const [x, y] = place(spot), group = draw('g', { class: 'piece' + (alive ? '' : ' down'), transform: `translate(${x} ${y})` });
    if (picture.turn === name) group.append(draw('circle', { class: 'ring', r: 34 }));
    const side = seatOf(name);
    if (!hero) group.append(draw('path', { class: 'token of-' + side, d: 'M0 -25L25 0L0 25L-25 0Z' }));
    else if (side === 'A') group.append(draw('circle', { class: 'token of-A', r: 25 }));
    else group.append(draw('rect', { class: 'token of-B', x: -23, y: -23, width: 46, height: 46, rx: 7 }));
    const hp = picture[name + '.hp'], share = Math.max(0, Math.min(1, hp / picture[name + '.max']));
    group.append(draw('text', { y: 6 }, name), draw('rect', { class: 'hpback', x: -42, y: 33, width: 54, height: 8, rx: 4 }),
      draw('rect', { class: 'of-' + side, x: -41, y: 34, width: 52 * share, height: 6, rx: 3 }), draw('text', { class: 'hpn', x: 30, y: 42 }, minus(hp)));
    const card = picture[name + '.card'];
    group.append(draw('title', {}, `${name}${card && data.cards[card] ? ' ' + data.cards[card].name : ''}`));
    return group;
  };
  const board = (picture, before) => {
    const names = Object.keys(picture).filter((path) => path.endsWith('.at')).map((path) => path.slice(0, -3));
    names.sort((a, b) => heroes.includes(a) - heroes.includes(b));
    one('#pieces').replaceChildren(...names.map((name) => piece(name, picture)).filter(Boolean));
    const marks = [], attack = [...(picture.stack || [])].reverse().find((row) => row.what === 'attack' && row.target);
    const label = (who) => names.find((name) => who === name || who.endsWith(`(${name})`));
    const from = attack && picture[label(attack.who) + '.at'], to = attack && picture[label(attack.target) + '.at'];
    if (from && to && String(from) !== String(to)) {
      const [x1, y1] = place(from), [x2, y2] = place(to), length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
      const [ex, ey] = [x2 - ux * 32, y2 - uy * 32];
      marks.push(draw('path', { class: 'arrow', d: `M${x1 + ux * 30} ${y1 + uy * 30}L${ex - ux * 8} ${ey - uy * 8}` }),
        draw('path', { class: 'arrowhead', d: `M${ex} ${ey}l${-ux * 14 - uy * 7} ${-uy * 14 + ux * 7}l${uy * 14} ${-ux * 14}z` }));
    }
    names.forEach((name) => {
      const change = picture[name + '.hp'] - before[name + '.hp'];
      if (change && picture[name + '.at']) {
        const [x, y] = place(picture[name + '.at']);
        marks.push(draw('text', { class: 'pop', x: x + 24, y: y - 20 }, (change > 0 ? '+' : '') + minus(change)));
      }
    });
    one('#marks').replaceChildren(...marks);
    const scenario = picture.scenario || [];
    one('#scenario').replaceChildren(...(scenario.length ? [words['zone.scenario'] + ':', ...scenario.map((card) => chip(card, ''))] : []));
  };
  const stack = (picture) => {
    const rows = [...(picture.stack || [])].reverse();
    one('#stack').replaceChildren(...(rows.length ? rows.map((row) => {
      const what = words['stack.' + row.what] + (row.target ? ' → ' + row.target : '');
      return element('div', { className: row.seat || '' }, element('b', { textContent: row.card || row.who }),
        element('span', { textContent: (row.card ? row.who + ' · ' : '') + what }));
    }) : [element('p', { textContent: words['stack.none'] })]));
  };
  const why = (step, told) => {
    const parts = [];
    if (step.rule) parts.push(element('p', {}, element('code', { textContent: step.rule }), element('span', { textContent: data.rules[step.rule], lang: 'en' })));
    if (step.card && told && (told.dataset.told || 'all') === 'all') {
      const card = data.cards[step.card];
      const text = element('p', { className: 'cardtext' }, element('b', { textContent: card.name }));
      card.lines.forEach((line) => text.append(element('br'), line));
      parts.push(text);
    }
    one('#why').replaceChildren(...parts);
  };

  // ---- one moment
  const range = one('#range'), log = one('#log');
  const show = (move = true) => {
    const picture = pictures[at], step = steps[at], told = toldOf(lines[at]);
    heroes.forEach((name) => seat(name, picture));
    board(picture, pictures[Math.max(0, at - 1)]);
    stack(picture);
    why(step, told);
    const caption = told ? told.textContent : '';
    one('#caption').textContent = caption;
    one('#pos').textContent = `${at + 1} / ${count}`;
    range.value = at + 1;
    range.setAttribute('aria-valuetext', caption);
    lines.forEach((line, index) => {
      const text = toldOf(line);
      line.hidden = text === null;
      all('[data-told]', line).forEach((span) => { span.hidden = span !== text; });
      line.classList.toggle('on', index === at);
      line.classList.toggle('later', index > at);
    });
    if (move) log.scrollTop = lines[at].offsetTop - log.clientHeight / 2 + 20;
    const now = one('.now', one('#curve'));
    if (now) { now.setAttribute('x1', at); now.setAttribute('x2', at); }
    one('#chance').textContent = chances[at] !== null ? words.chance_of.replace('{n}', Math.round(100 * chances[at])) : '';
    if (chances[at] !== null) range.setAttribute('aria-valuetext', `${caption} (${one('#chance').textContent})`);
  };
  const go = (index) => { at = Math.max(0, Math.min(count - 1, index)); show(); };
  const stepBy = (way) => {
    let next = at + way;
    while (next > 0 && next < count - 1 && !audible(next)) next += way;
    go(next);
  };
  const jump = (way) => {
    const starts = steps.map((step, index) => (step.kind === 'stint' ? index : -1)).filter((index) => index >= 0);
    go(way > 0 ? starts.find((index) => index > at) ?? count - 1 : [...starts].reverse().find((index) => index < at) ?? 0);
  };
  const label = () => { one('#play').textContent = (timer ? '❚❚ ' : '▶ ') + (timer ? words.pause : words.play); };
  const stop = () => { clearInterval(timer); timer = 0; label(); };
  const play = () => {
    if (timer) { stop(); return; }
    if (at === count - 1) at = 0;
    timer = setInterval(() => { if (at >= count - 1) stop(); else stepBy(1); }, 1000);
    label();
  };
  const setView = (name) => {
    if (data.view !== 'all') return;
    view = name;
    all('[data-view]').forEach((button) => button.setAttribute('aria-pressed', button.dataset.view === name));
    if (!audible(at)) stepBy(-1);
    show();
  };

  // ---- over the match: the chance of seat A where it is known, else HP
  const chanceLine = (picture) => {
    const first = chances.findIndex((chance) => chance !== null), y = (chance) => (62 - 60 * chance).toFixed(1);
    let line = `M${first} ${y(chances[first])}`;
    chances.slice(first + 1).forEach((chance, k) => { line += `H${first + k + 1}V${y(chance)}`; });
    const area = `${line}V32H${first}Z`, clip = (id, top) => {
      const made = draw('clipPath', { id });
      made.append(draw('rect', { x: 0, y: top, width: count, height: 30 }));
      return made;
    };
    picture.append(clip('above', 2), clip('below', 32), draw('path', { class: 'areaA', d: area, 'clip-path': 'url(#above)' }),
      draw('path', { class: 'areaB', d: area, 'clip-path': 'url(#below)' }), draw('path', { class: 'chance', d: line }));
    return [['A', 'top'], ['B', 'foot']].map(([side, place]) => element('span', { className: `side ${place} ${side}`, textContent: side }));
  };
  const hpLines = (picture) => {
    ['A', 'B'].forEach((side) => {
      const own = heroes.filter((name) => seatOf(name) === side);
      const share = (shown) => own.reduce((sum, name) => sum + Math.max(0, shown[name + '.hp']) / shown[name + '.max'], 0) / own.length;
      const points = pictures.map((shown, index) => `${index},${(62 - 60 * share(shown)).toFixed(1)}`);
      picture.append(draw('polyline', { class: 'line' + side, points: points.join(' ') }));
    });
    return [];
  };
  const curve = () => {
    const box = one('#curve'), picture = draw('svg', { viewBox: `0 0 ${count - 1} 64`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    [2, 32, 62].forEach((y) => picture.append(draw('line', { class: 'grid', x1: 0, x2: count - 1, y1: y, y2: y })));
    const marks = [];
    steps.forEach((step, index) => {
      if (step.kind !== 'stint') return;
      picture.append(draw('line', { class: 'grid', x1: index, x2: index, y1: 0, y2: 64 }));
      const n = step.stint, mark = element('span', { textContent: count > 250 || n > 8 ? n : words.stint.replace('{n}', n) });
      mark.style.left = 100 * index / (count - 1) + '%';
      marks.push(mark);
    });
    marks.push(...(chances[count - 1] === null ? hpLines(picture) : chanceLine(picture)));
    picture.append(draw('line', { class: 'now', y1: -3, y2: 64, x1: 0, x2: 0 }));
    box.replaceChildren(picture, ...marks);
  };

  // ---- controls
  const act = { first: () => jump(-1), previous: () => stepBy(-1), next: () => stepBy(1), last: () => jump(1) };
  Object.entries(act).forEach(([id, action]) => one('#' + id).addEventListener('click', () => { stop(); action(); }));
  one('#play').addEventListener('click', play);
  range.addEventListener('input', () => { stop(); go(range.value - 1); });
  log.addEventListener('click', (event) => {
    const line = event.target.closest('li');
    if (line && !String(getSelection())) { stop(); at = lines.indexOf(line); show(false); }
  });
  all('[data-view]').forEach((button) => button.addEventListener('click', () => setView(button.dataset.view)));
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === range && event.key.startsWith('Arrow')) return;
    const keys = {
      ArrowRight: act.next, ArrowLeft: act.previous, ArrowUp: act.first, ArrowDown: act.last, Home: () => go(0), End: () => go(count - 1),
      ' ': play, 0: () => setView('all'), a: () => setView('A'), b: () => setView('B'),
    };
    const action = keys[event.key];
    if (!action || event.key === ' ' && event.target.tagName === 'BUTTON') return;
    event.preventDefault();
    if (event.key !== ' ' && event.key.length > 1) stop();
    action();
  });
  const theme = (name) => {
    root.classList.remove('light', 'dark');
    if (name) root.classList.add(name);
    const shown = name || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    all('[data-theme]').forEach((button) => button.setAttribute('aria-pressed', button.dataset.theme === shown));
  };
  all('[data-theme]').forEach((button) => button.addEventListener('click', () => theme(button.dataset.theme)));

  // ---- a moment may be asked for in the address: #step-38, ?step=38&view=A&theme=dark
  const asked = new URLSearchParams(location.search);
  const hashed = () => Number((/^#step-(\d+)$/.exec(location.hash) || [])[1]);
  theme(asked.get('theme') || '');
  curve();
  label();
  at = Math.max(0, Math.min(count - 1, (hashed() || Number(asked.get('step')) || 1) - 1));
  const wanted = asked.get('card');
  if (wanted) lines.forEach((line) => line.classList.toggle('work', line.dataset.card === wanted));
  if (['A', 'B'].includes(asked.get('view'))) setView(asked.get('view')); else show();
  const top = () => scrollTo({ top: 0, behavior: 'instant' });
  addEventListener('hashchange', () => { if (hashed()) { stop(); go(hashed() - 1); top(); } });
  if (hashed()) addEventListener('load', () => { top(); setTimeout(top, 60); });
})();
