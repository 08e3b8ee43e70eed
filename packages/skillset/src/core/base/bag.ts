/**
 * An empty object that inherits nothing, for keys that come from a skill. Quicker than `Object.create(null)`,
 * whose objects are dictionaries from the start.
 */
export function createBag<Value>(): Record<string, Value> {
  return new (Bag as unknown as new () => Record<string, Value>)();
}

function Bag(): void {}
Bag.prototype = Object.freeze(Object.create(null));
