// A form answers with what the page has named so (`<input name=closest>`), to its own scripts a document too; their types do not.
const ask = (node, name, ...given) => {
  const found = Reflect.get(Object.getPrototypeOf(node), name, node);
  return typeof found === 'function' ? Reflect.apply(found, node, given) : found;
};
