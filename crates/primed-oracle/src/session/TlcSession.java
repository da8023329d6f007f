// Runs TLC on many specifications in one process, so that its start is paid once. Standard input: a request a line, its
// cells separated by tabs: seconds, the folder with the module, then TLC's arguments. Standard output: for each request the exit
// status that TLC would have (or TIMEOUT, after which this process ends), the milliseconds it took, and what TLC printed,
// separated by tabs, line breaks escaped. Everything is asked by reflection, so that any version of TLC will do.
//
// TLC keeps much in static fields. With the property `tlc.fresh` each request gets a class loader of its own: sure, and slow.
// Otherwise what TLC keeps is put back to what it was after a first request, the table of strings among it: words that
// do not occur in the modules of that first request are ordered as in a process of their own.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class TlcSession {
  private static final boolean FRESH = Boolean.getBoolean("tlc.fresh");
  private static final int LONGEST = 1 << 20;
  /** Static fields that are put back before each request. */
  private static final String[][] KEPT = {
    {"tlc2.TLCGlobals", "*"}, {"util.UniqueString", "varCount"}, {"tlc2.tool.TLCState", "*"},
    {"tlc2.tool.TLCStateMut", "*"}, {"tlc2.tool.TLCStateMutExt", "*"},
    {"tla2sany.semantic.FrontEnd", "*"}, {"tlc2.module.TLC", "OUTPUT"}, {"tlc2.value.impl.ModelValue", "*"},
    {"tla2sany.semantic.SemanticNode", "errors"}, {"tlc2.tool.liveness.LiveWorker", "*"},
  };

  public static void main(String[] none) throws Exception {
    PrintStream answers = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, "UTF-8");
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    Keeper keeper = null;
    // If the one who asks is killed, nobody reads the answers to what is still in the pipe.
    ProcessHandle.current().parent().ifPresent(p -> p.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] cells = line.split("\t");
      int seconds = Integer.parseInt(cells[0]);
      ClassLoader loader = FRESH ? fresh() : TlcSession.class.getClassLoader();
      if (!FRESH && keeper != null) {
        keeper.restore();
      }
      Run run = new Run(loader, cells[1], Arrays.copyOfRange(cells, 2, cells.length));
      long start = System.nanoTime();
      run.start();
      run.join(seconds * 1000L);
      long millis = (System.nanoTime() - start) / 1_000_000;
      if (run.isAlive()) {
        answers.println("TIMEOUT\t" + millis + "\t" + run.said());
        answers.flush();
        Runtime.getRuntime().halt(1);
      }
      answers.println(run.status + "\t" + millis + "\t" + run.said());
      if (!FRESH && keeper == null) {
        keeper = new Keeper(loader);
      }
    }
    // Threads of TLC may still run.
    Runtime.getRuntime().halt(0);
  }

  private static ClassLoader fresh() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String path : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
      urls.add(Paths.get(path).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  /** One request, in a thread of its own: TLC's is large. */
  private static final class Run extends Thread {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ClassLoader loader;
    private final String folder;
    private final String[] arguments;
    private volatile String status = "EXC";

    Run(ClassLoader loader, String folder, String[] arguments) {
      super(null, null, "tlc", 64L << 20);
      this.loader = loader;
      this.folder = folder;
      this.arguments = arguments;
      setContextClassLoader(loader);
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        PrintStream said = new PrintStream(bytes, true, "UTF-8");
        System.setOut(said);
        System.setErr(said);
        Class<?> io = loader.loadClass("util.ToolIO");
        io.getField("out").set(null, said);
        io.getField("err").set(null, said);
        io.getMethod("setUserDir", String.class).invoke(null, folder);
        Class<?> resolver = loader.loadClass("util.FilenameToStream");
        Class<?> tlc = loader.loadClass("tlc2.TLC");
        Object checker = tlc.getDeclaredConstructor().newInstance();
        if (!(Boolean) tlc.getMethod("handleParameters", String[].class).invoke(checker, (Object) arguments)) {
          status = "1";
          return;
        }
        Class<?> simple = loader.loadClass("util.SimpleFilenameToStream");
        Object files = simple.getConstructor(String.class).newInstance(folder);
        tlc.getMethod("setResolver", resolver).invoke(checker, files);
        Object code = tlc.getMethod("process").invoke(checker);
        Class<?> statuses = loader.loadClass("tlc2.output.EC$ExitStatus");
        Method toStatus = statuses.getMethod("errorConstantToExitStatus", int.class);
        status = String.valueOf(toStatus.invoke(null, code));
      } catch (InvocationTargetException trouble) {
        trouble.getCause().printStackTrace(System.err);
      } catch (Throwable trouble) {
        trouble.printStackTrace(System.err);
      }
    }

    String said() {
      String text = bytes.toString(java.nio.charset.StandardCharsets.UTF_8);
      text = text.substring(0, Math.min(text.length(), LONGEST));
      return text.replace("\\", "\\\\").replace("\r", "").replace("\n", "\\n").replace("\t", "\\t");
    }
  }

  /** What TLC keeps in static fields, as it was when this was made. */
  private static final class Keeper {
    private final List<Field> fields = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();
    private Object table;
    private Object[] words;
    private int count, tokens;
    private final ClassLoader loader;

    Keeper(ClassLoader loader) throws Exception {
      this.loader = loader;
      for (String[] kept : KEPT) {
        Class<?> type;
        try {
          type = loader.loadClass(kept[0]);
        } catch (ClassNotFoundException e) {
          continue;
        }
        for (Field field : type.getDeclaredFields()) {
          int modifiers = field.getModifiers();
          boolean named = kept[1].equals("*") || kept[1].equals(field.getName());
          if (named && Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers)) {
            field.setAccessible(true);
            fields.add(field);
            values.add(field.get(null));
          }
        }
      }
      table = loader.loadClass("util.UniqueString").getField("internTbl").get(null);
      words = ((Object[]) field("table").get(table)).clone();
      count = field("count").getInt(table);
      tokens = field("tokenCnt").getInt(table);
    }

    private Field field(String name) throws Exception {
      Field field = table.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field;
    }

    /** Buffers of files that are closed twice are in the pool twice: two files of the next request would share one. */
    private void forgetBuffers() throws Exception {
      try {
        Field pooled = loader.loadClass("tlc2.util.BufferedRandomAccessFile").getDeclaredField("numAvailBuffs");
        pooled.setAccessible(true);
        pooled.setInt(null, 0);
      } catch (NoSuchFieldException none) {
        // Another version, without a pool.
      }
    }

    void restore() throws Exception {
      for (int i = 0; i < fields.size(); i++) {
        fields.get(i).set(null, values.get(i));
      }
      forgetBuffers();
      loader.loadClass("tlc2.value.impl.ModelValue").getMethod("init").invoke(null);
      Field place = loader.loadClass("util.UniqueString").getDeclaredField("loc");
      place.setAccessible(true);
      for (Object word : words) {
        if (word != null) {
          // What a word means as a variable or definition.
          place.setInt(word, -1);
        }
      }
      field("table").set(table, words.clone());
      field("length").setInt(table, Array.getLength(words));
      field("count").setInt(table, count);
      field("tokenCnt").setInt(table, tokens);
    }
  }
}
