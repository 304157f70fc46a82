// The one way onto the page: text goes in as text. Nothing here, or anywhere in the page, parses HTML, so that what a user wrote cannot become a part of it.

/** The element with an id of index.html. */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}.`);
  return found;
}

/** Makes an element with a class and children; a child that is no element becomes text. */
export function element(name, { className, ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children.filter((child) => child !== null && child !== undefined).map(asNode));
  return made;
}

/** Shows exactly these children. */
export function fill(holder, children) {
  holder.replaceChildren(...children);
}

/** A list of names and values. */
export function facts(entries) {
  return entries.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
}

/** An instant for people, in their time zone; the exact one is its title. */
export function time(instant) {
  const date = new Date(instant);
  const shown = Number.isNaN(date.getTime()) ? String(instant) : date.toLocaleString();
  return element('time', { datetime: String(instant), title: String(instant) }, shown);
}

function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}
