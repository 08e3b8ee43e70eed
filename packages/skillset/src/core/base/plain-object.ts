/**
 * Creates an empty object without a prototype chain to `Object`, for keys that come from a skill. Faster than
 * `Object.create(null)`, whose objects start in dictionary mode.
 */
export function createBag<Value>(): Record<string, Value> {
  return new (Bag as unknown as new () => Record<string, Value>)();
}

function Bag(): void {}
Bag.prototype = Object.freeze(Object.create(null));
