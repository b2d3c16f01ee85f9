import SerializerSelector from '@fastify/fast-json-stringify-compiler';

/**
 * Uses fastify's own serializers of responses, but compiles each when a response first needs it: compiling those of all
 * routes takes most of the start.
 */
export function buildSerializersWhenNeeded(): SerializerSelector.SerializerFactory {
  const build = SerializerSelector();
  return (schemas, options) => {
    const compile = build(schemas, options);
    return (route) => {
      let serialize: SerializerSelector.Serializer | undefined;
      return (answer) => {
        serialize ??= compile(route);
        return serialize(answer);
      };
    };
  };
}
