console.log(`${process.argv[2]} commits`);
