// Runs SANY on many files in one process. Arguments: library folders. Standard input: one file a line, after tabs further
// folders in which its modules are looked for. Standard output: file, verdict (OK, SYNTAX, SEMANTIC or EXC) and
// the end of what SANY printed, tab-separated, line breaks escaped.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import tla2sany.drivers.SANY;
import tla2sany.modanalyzer.SpecObj;
import util.SimpleFilenameToStream;
import util.ToolIO;

public class SanyVerdicts {
  private static final int LONGEST = 4000;

  public static void main(String[] libraries) throws Exception {
    BufferedReader files = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    PrintStream answers = new PrintStream(System.out, true, "UTF-8");
    for (String line = files.readLine(); line != null; line = files.readLine()) {
      String[] cells = line.split("\t");
      String file = cells[0];
      List<String> folders = new ArrayList<>(List.of(new File(file).getParent()));
      folders.addAll(List.of(cells).subList(1, cells.length));
      folders.addAll(List.of(libraries));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      PrintStream said = new PrintStream(bytes, true, "UTF-8");
      System.setOut(said);
      System.setErr(said);
      ToolIO.out = said;
      ToolIO.err = said;
      String verdict;
      try {
        verdict = verdict(file, folders, said);
      } catch (Throwable trouble) {
        verdict = "EXC";
        trouble.printStackTrace(said);
      }
      String text = bytes.toString("UTF-8");
      text = text.substring(Math.max(0, text.length() - LONGEST));
      text = text.replace("\\", "\\\\").replace("\r", "").replace("\n", "\\n").replace("\t", "\\t");
      answers.println(file + "\t" + verdict + "\t" + text);
    }
  }

  private static String verdict(String file, List<String> folders, PrintStream said) throws Exception {
    SpecObj spec = new SpecObj(file, new SimpleFilenameToStream(folders.toArray(new String[0])));
    SANY.frontEndMain(spec, file, said);
    if (spec.getInitErrors().isFailure() || spec.getParseErrors().isFailure()) {
      return "SYNTAX";
    }
    if (spec.getSemanticErrors() != null && spec.getSemanticErrors().isFailure()) {
      return "SEMANTIC";
    }
    // Level 3 are warnings only, of names that two modules define; 1 and 2 are errors before any semantics.
    return spec.getErrorLevel() == 0 || spec.getErrorLevel() == 3 ? "OK" : "SYNTAX";
  }
}
