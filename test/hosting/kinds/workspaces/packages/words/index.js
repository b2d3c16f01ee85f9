exports.hello = (name) => `Shalom ${name}`;
