/**
 * Creates an empty object without a prototype chain to `Object`, for keys that come from a skill. Faster than
 * `Object.create(null)`, whose objects start in dictionary mode.
 */
export function createPlainObject<Value>(): Record<string, Value> {
  return new (PlainObject as unknown as new () => Record<string, Value>)();
}

function PlainObject(): void {}
PlainObject.prototype = Object.freeze(Object.create(null));
